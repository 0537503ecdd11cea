// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto

import type { Attempt as _mainspring_eval_runner_v1_Attempt, Attempt__Output as _mainspring_eval_runner_v1_Attempt__Output } from '../../../mainspring/eval_runner/v1/Attempt.ts';

export interface ListAttemptsResponse {
  'attempts'?: (_mainspring_eval_runner_v1_Attempt)[];
  /**
   * Empty at the end.
   */
  'next_page_token'?: (string);
}

export interface ListAttemptsResponse__Output {
  'attempts': (_mainspring_eval_runner_v1_Attempt__Output)[];
  /**
   * Empty at the end.
   */
  'next_page_token': (string);
}
