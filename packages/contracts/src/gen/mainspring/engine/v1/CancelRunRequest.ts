// Original file: protos/mainspring/engine/v1/engine.proto


export interface CancelRunRequest {
  'run_id'?: (string);
  'reason'?: (string);
  'wait_effective'?: (boolean);
}

export interface CancelRunRequest__Output {
  'run_id': (string);
  'reason': (string);
  'wait_effective': (boolean);
}
