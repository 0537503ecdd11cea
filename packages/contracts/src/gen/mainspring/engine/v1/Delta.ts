// Original file: protos/mainspring/engine/v1/engine.proto


export interface Delta {
  'run_id'?: (string);
  'step'?: (number);
  'attempt'?: (number);
  /**
   * Ordinal of this chunk within the attempt, from 0 and dense.
   */
  'chunk'?: (number);
  /**
   * Ordinal of the output item within the attempt, from 0.
   */
  'item'?: (number);
  /**
   * text, reasoning or arguments.
   */
  'kind'?: (string);
  /**
   * Characters (UTF-16 code units) of this item before this chunk.
   */
  'offset'?: (number);
  'text'?: (string);
  /**
   * For the first chunk of a call: its id and name.
   */
  'call_id'?: (string);
  'name'?: (string);
}

export interface Delta__Output {
  'run_id': (string);
  'step': (number);
  'attempt': (number);
  /**
   * Ordinal of this chunk within the attempt, from 0 and dense.
   */
  'chunk': (number);
  /**
   * Ordinal of the output item within the attempt, from 0.
   */
  'item': (number);
  /**
   * text, reasoning or arguments.
   */
  'kind': (string);
  /**
   * Characters (UTF-16 code units) of this item before this chunk.
   */
  'offset': (number);
  'text': (string);
  /**
   * For the first chunk of a call: its id and name.
   */
  'call_id': (string);
  'name': (string);
}
