// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface ListSpacesRequest {
  'page_size'?: (number);
  'page_token'?: (string);
}

export interface ListSpacesRequest__Output {
  'page_size': (number);
  'page_token': (string);
}
