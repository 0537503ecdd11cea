// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface MoveSpaceRequest {
  'space_id'?: (string);
  'shard'?: (number);
}

export interface MoveSpaceRequest__Output {
  'space_id': (string);
  'shard': (number);
}
