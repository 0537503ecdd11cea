// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface GetReportRequest {
  'experiment_id'?: (string);
  /**
   * Subject that the others are compared with; empty: the first.
   */
  'baseline'?: (string);
}

export interface GetReportRequest__Output {
  'experiment_id': (string);
  /**
   * Subject that the others are compared with; empty: the first.
   */
  'baseline': (string);
}
