// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto

import type { Experiment as _mainspring_eval_runner_v1_Experiment, Experiment__Output as _mainspring_eval_runner_v1_Experiment__Output } from '../../../mainspring/eval_runner/v1/Experiment.ts';

export interface CreateExperimentResponse {
  'experiment'?: (_mainspring_eval_runner_v1_Experiment | null);
  /**
   * False: it was there already.
   */
  'created'?: (boolean);
}

export interface CreateExperimentResponse__Output {
  'experiment': (_mainspring_eval_runner_v1_Experiment__Output | null);
  /**
   * False: it was there already.
   */
  'created': (boolean);
}
