// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto

import type { Experiment as _mainspring_eval_runner_v1_Experiment, Experiment__Output as _mainspring_eval_runner_v1_Experiment__Output } from '../../../mainspring/eval_runner/v1/Experiment.ts';

export interface ListExperimentsResponse {
  'experiments'?: (_mainspring_eval_runner_v1_Experiment)[];
  /**
   * Empty at the end.
   */
  'next_page_token'?: (string);
}

export interface ListExperimentsResponse__Output {
  'experiments': (_mainspring_eval_runner_v1_Experiment__Output)[];
  /**
   * Empty at the end.
   */
  'next_page_token': (string);
}
