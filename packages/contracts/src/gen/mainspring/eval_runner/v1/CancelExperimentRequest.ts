// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface CancelExperimentRequest {
  'experiment_id'?: (string);
}

export interface CancelExperimentRequest__Output {
  'experiment_id': (string);
}
