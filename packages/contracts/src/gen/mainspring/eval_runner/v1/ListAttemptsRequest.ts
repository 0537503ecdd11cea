// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface ListAttemptsRequest {
  'experiment_id'?: (string);
  /**
   * At most 50; 0 for the default of 20.
   */
  'page_size'?: (number);
  'page_token'?: (string);
}

export interface ListAttemptsRequest__Output {
  'experiment_id': (string);
  /**
   * At most 50; 0 for the default of 20.
   */
  'page_size': (number);
  'page_token': (string);
}
