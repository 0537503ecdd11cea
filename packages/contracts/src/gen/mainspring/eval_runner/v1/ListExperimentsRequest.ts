// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface ListExperimentsRequest {
  /**
   * At most 100; 0 for the default of 20.
   */
  'page_size'?: (number);
  'page_token'?: (string);
}

export interface ListExperimentsRequest__Output {
  /**
   * At most 100; 0 for the default of 20.
   */
  'page_size': (number);
  'page_token': (string);
}
