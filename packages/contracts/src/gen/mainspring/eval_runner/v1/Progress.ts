// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


/**
 * Numbers of cells; they add up to `cells`.
 */
export interface Progress {
  'cells'?: (number);
  'passed'?: (number);
  'failed'?: (number);
  /**
   * No attempt of this round got a result.
   */
  'errors'?: (number);
  'running'?: (number);
  'waiting'?: (number);
}

/**
 * Numbers of cells; they add up to `cells`.
 */
export interface Progress__Output {
  'cells': (number);
  'passed': (number);
  'failed': (number);
  /**
   * No attempt of this round got a result.
   */
  'errors': (number);
  'running': (number);
  'waiting': (number);
}
