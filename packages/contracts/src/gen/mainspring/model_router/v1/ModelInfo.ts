// Original file: protos/mainspring/model_router/v1/model_router.proto


export interface ModelInfo {
  /**
   * What callers put into `model`: a label or `provider/model`.
   */
  'name'?: (string);
  'provider'?: (string);
  'labels'?: (string)[];
  /**
   * False when a key or address is missing; `unavailable_reason` says which.
   */
  'available'?: (boolean);
  'unavailable_reason'?: (string);
  'context_window_tokens'?: (number);
}

export interface ModelInfo__Output {
  /**
   * What callers put into `model`: a label or `provider/model`.
   */
  'name': (string);
  'provider': (string);
  'labels': (string)[];
  /**
   * False when a key or address is missing; `unavailable_reason` says which.
   */
  'available': (boolean);
  'unavailable_reason': (string);
  'context_window_tokens': (number);
}
