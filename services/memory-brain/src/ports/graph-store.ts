import type { SpaceRecords } from "./space-records.ts";
import type { GraphView, GraphWriter } from "./space-graph.ts";

/** A connection to a Space. The reader's cannot begin. */
export interface GraphStore {
  /** The present, or what was held at a sequence number that exists. */
  view(seq: number | undefined): GraphView;
  currentSeq(): number;
  /** Changes whenever the schema does. */
  schemaSeq(): number;
  /** Whether elements can be searched by what they are near to. */
  readonly semantic: boolean;
  /** Opens a transaction inside the batch that is being written. */
  begin(): GraphWriter;
  /** Ends it: what it wrote stays in the batch, or is undone. */
  end(keep: boolean): void;
  /** Runs something that may hold several transactions; what it did is undone when it throws or does not keep it. */
  attempt<T>(run: () => { readonly value: T; readonly keep: boolean }): T;
  /** What is kept beside the graph. */
  readonly records: SpaceRecords;
}
