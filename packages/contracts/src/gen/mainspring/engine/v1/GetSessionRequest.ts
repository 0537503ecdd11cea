// Original file: protos/mainspring/engine/v1/engine.proto


export interface GetSessionRequest {
  'session_id'?: (string);
}

export interface GetSessionRequest__Output {
  'session_id': (string);
}
