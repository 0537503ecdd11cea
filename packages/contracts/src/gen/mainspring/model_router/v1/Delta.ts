// Original file: protos/mainspring/model_router/v1/model_router.proto


/**
 * A piece of output. Items come one after the other: no delta of item k follows one of item k+1.
 */
export interface Delta {
  'item'?: (number);
  /**
   * text, reasoning or arguments.
   */
  'kind'?: (string);
  'text'?: (string);
  /**
   * First delta of a call.
   */
  'call_id'?: (string);
  'name'?: (string);
}

/**
 * A piece of output. Items come one after the other: no delta of item k follows one of item k+1.
 */
export interface Delta__Output {
  'item': (number);
  /**
   * text, reasoning or arguments.
   */
  'kind': (string);
  'text': (string);
  /**
   * First delta of a call.
   */
  'call_id': (string);
  'name': (string);
}
