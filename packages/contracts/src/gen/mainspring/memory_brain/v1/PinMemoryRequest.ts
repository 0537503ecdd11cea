// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface PinMemoryRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'entity'?: (string);
  'pinned'?: (boolean);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface PinMemoryRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'entity': (string);
  'pinned': (boolean);
  'shard'?: (number);
  '_shard'?: "shard";
}
