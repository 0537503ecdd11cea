// Original file: protos/mainspring/engine/v1/engine.proto


export interface ListRunsRequest {
  'session_id'?: (string);
  'page_size'?: (number);
  'page_token'?: (string);
}

export interface ListRunsRequest__Output {
  'session_id': (string);
  'page_size': (number);
  'page_token': (string);
}
