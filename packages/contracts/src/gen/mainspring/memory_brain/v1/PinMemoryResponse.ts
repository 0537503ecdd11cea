// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface PinMemoryResponse {
  'entity'?: (string);
  'pinned'?: (boolean);
  'updated'?: (boolean);
}

export interface PinMemoryResponse__Output {
  'entity': (string);
  'pinned': (boolean);
  'updated': (boolean);
}
