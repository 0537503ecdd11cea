// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface GetExperimentRequest {
  'experiment_id'?: (string);
}

export interface GetExperimentRequest__Output {
  'experiment_id': (string);
}
