// Original file: protos/mainspring/engine/v1/engine.proto


export interface GetToolCallResponse {
  'name'?: (string);
  'arguments_json'?: (string);
  'idempotency_key'?: (string);
  /**
   * False when the call is no longer open: do not run it.
   */
  'open'?: (boolean);
  'run_id'?: (string);
}

export interface GetToolCallResponse__Output {
  'name': (string);
  'arguments_json': (string);
  'idempotency_key': (string);
  /**
   * False when the call is no longer open: do not run it.
   */
  'open': (boolean);
  'run_id': (string);
}
