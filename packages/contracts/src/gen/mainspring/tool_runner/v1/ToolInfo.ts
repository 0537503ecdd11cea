// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto


export interface ToolInfo {
  'name'?: (string);
  'description'?: (string);
  /**
   * JSON Schema of the arguments.
   */
  'parameters_json'?: (string);
  /**
   * replay_safe, idempotent, reconcile or never_retry.
   */
  'recovery'?: (string);
  /**
   * Runs alone within its turn.
   */
  'exclusive'?: (boolean);
}

export interface ToolInfo__Output {
  'name': (string);
  'description': (string);
  /**
   * JSON Schema of the arguments.
   */
  'parameters_json': (string);
  /**
   * replay_safe, idempotent, reconcile or never_retry.
   */
  'recovery': (string);
  /**
   * Runs alone within its turn.
   */
  'exclusive': (boolean);
}
