// Original file: protos/mainspring/engine/v1/engine.proto


export interface DeleteSessionRequest {
  'session_id'?: (string);
}

export interface DeleteSessionRequest__Output {
  'session_id': (string);
}
