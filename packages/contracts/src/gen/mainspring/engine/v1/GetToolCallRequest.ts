// Original file: protos/mainspring/engine/v1/engine.proto


export interface GetToolCallRequest {
  'session_id'?: (string);
  'call_id'?: (string);
  'attempt'?: (number);
}

export interface GetToolCallRequest__Output {
  'session_id': (string);
  'call_id': (string);
  'attempt': (number);
}
