// Original file: protos/mainspring/engine/v1/engine.proto


export interface CreateSessionRequest {
  /**
   * Name of an agent (`script`, `assistant`), or empty for a plain session.
   */
  'agent'?: (string);
  'title'?: (string);
  /**
   * Same key and tenant: same session.
   */
  'idempotency_key'?: (string);
}

export interface CreateSessionRequest__Output {
  /**
   * Name of an agent (`script`, `assistant`), or empty for a plain session.
   */
  'agent': (string);
  'title': (string);
  /**
   * Same key and tenant: same session.
   */
  'idempotency_key': (string);
}
