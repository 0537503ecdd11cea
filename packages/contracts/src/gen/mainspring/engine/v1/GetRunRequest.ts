// Original file: protos/mainspring/engine/v1/engine.proto


export interface GetRunRequest {
  'run_id'?: (string);
}

export interface GetRunRequest__Output {
  'run_id': (string);
}
