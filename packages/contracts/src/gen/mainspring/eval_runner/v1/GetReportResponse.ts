// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface GetReportResponse {
  'report_json'?: (string);
}

export interface GetReportResponse__Output {
  'report_json': (string);
}
