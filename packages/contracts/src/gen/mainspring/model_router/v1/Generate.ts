// Original file: protos/mainspring/model_router/v1/model_router.proto


export interface Generate {
  /**
   * Echoed in every answer.
   */
  'attempt'?: (number);
  /**
   * For logs and idempotency towards the provider.
   */
  'request_id'?: (string);
  /**
   * What the call's span lies under, or empty.
   */
  'traceparent'?: (string);
}

export interface Generate__Output {
  /**
   * Echoed in every answer.
   */
  'attempt': (number);
  /**
   * For logs and idempotency towards the provider.
   */
  'request_id': (string);
  /**
   * What the call's span lies under, or empty.
   */
  'traceparent': (string);
}
