// Original file: protos/mainspring/engine/v1/engine.proto


export interface SubmitInputRequest {
  /**
   * Empty: a new session is made for this input.
   */
  'session_id'?: (string);
  /**
   * Names the post. Same id in the same session: the same run, started once.
   */
  'client_run_id'?: (string);
  /**
   * `run` (default): a turn of its own, queued behind the one under way. `steer`: joins the run under way.
   */
  'mode'?: (string);
  /**
   * JSON array of input items in the shape of the Responses API (messages, function_call_output, ...).
   */
  'items_json'?: (string);
  /**
   * JSON object: agent, model, instructions, client tools, parameters, limits (RunSpec in the engine).
   */
  'spec_json'?: (string);
  /**
   * Text of the first input becomes the title of a new session when empty.
   */
  'title'?: (string);
  /**
   * For a new session: same key and tenant, same session.
   */
  'idempotency_key'?: (string);
  /**
   * Digest of an artifact that holds items_json when it is too large for a message; items_json is empty then.
   */
  'items_artifact'?: (string);
}

export interface SubmitInputRequest__Output {
  /**
   * Empty: a new session is made for this input.
   */
  'session_id': (string);
  /**
   * Names the post. Same id in the same session: the same run, started once.
   */
  'client_run_id': (string);
  /**
   * `run` (default): a turn of its own, queued behind the one under way. `steer`: joins the run under way.
   */
  'mode': (string);
  /**
   * JSON array of input items in the shape of the Responses API (messages, function_call_output, ...).
   */
  'items_json': (string);
  /**
   * JSON object: agent, model, instructions, client tools, parameters, limits (RunSpec in the engine).
   */
  'spec_json': (string);
  /**
   * Text of the first input becomes the title of a new session when empty.
   */
  'title': (string);
  /**
   * For a new session: same key and tenant, same session.
   */
  'idempotency_key': (string);
  /**
   * Digest of an artifact that holds items_json when it is too large for a message; items_json is empty then.
   */
  'items_artifact': (string);
}
