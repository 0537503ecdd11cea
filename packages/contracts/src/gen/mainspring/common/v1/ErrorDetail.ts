// Original file: protos/mainspring/common/v1/common.proto


/**
 * What travels in the trailer `mainspring-error-bin` of every failed call. A peer decides by these fields,
 * never by the status text.
 */
export interface ErrorDetail {
  /**
   * The canonical code in lower case, e.g. `failed_precondition`.
   */
  'code'?: (string);
  /**
   * `never`, `safe`, `after` (see retry_after_ms) or `unknown_outcome`.
   */
  'retry'?: (string);
  /**
   * Milliseconds to wait when retry is `after`.
   */
  'retry_after_ms'?: (number);
  /**
   * A stable reason below the code, e.g. `previous_response_not_found`. May be empty.
   */
  'reason'?: (string);
  /**
   * The request field at fault. May be empty.
   */
  'param'?: (string);
  /**
   * Safe to show to callers.
   */
  'message'?: (string);
}

/**
 * What travels in the trailer `mainspring-error-bin` of every failed call. A peer decides by these fields,
 * never by the status text.
 */
export interface ErrorDetail__Output {
  /**
   * The canonical code in lower case, e.g. `failed_precondition`.
   */
  'code': (string);
  /**
   * `never`, `safe`, `after` (see retry_after_ms) or `unknown_outcome`.
   */
  'retry': (string);
  /**
   * Milliseconds to wait when retry is `after`.
   */
  'retry_after_ms': (number);
  /**
   * A stable reason below the code, e.g. `previous_response_not_found`. May be empty.
   */
  'reason': (string);
  /**
   * The request field at fault. May be empty.
   */
  'param': (string);
  /**
   * Safe to show to callers.
   */
  'message': (string);
}
