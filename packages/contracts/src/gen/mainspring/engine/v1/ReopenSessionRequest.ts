// Original file: protos/mainspring/engine/v1/engine.proto


export interface ReopenSessionRequest {
  'session_id'?: (string);
}

export interface ReopenSessionRequest__Output {
  'session_id': (string);
}
