// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface WatchExperimentRequest {
  'experiment_id'?: (string);
}

export interface WatchExperimentRequest__Output {
  'experiment_id': (string);
}
