/**
 * Turns texts into vectors whose cosine says how much two of them have in common. It runs on the threads of a Space, within
 * a request, so it has to answer in well under a millisecond a text.
 */
export interface Embedder {
  /** Vectors of another model are not compared with its own. */
  readonly model: string;
  readonly dimension: number;
  /** Cosine from which two texts have something in common. */
  readonly floor: number;
  /** Of length 1; all zero where the text says nothing. The same text always gives the same vector. */
  embed(text: string): Float32Array;
  /** Whether texts whose vectors are near have really something in common. Absent where that is no matter of chance. */
  confirms?(query: string, text: string): boolean;
}
