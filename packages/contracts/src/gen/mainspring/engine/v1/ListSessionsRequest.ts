// Original file: protos/mainspring/engine/v1/engine.proto


export interface ListSessionsRequest {
  'page_size'?: (number);
  'page_token'?: (string);
}

export interface ListSessionsRequest__Output {
  'page_size': (number);
  'page_token': (string);
}
