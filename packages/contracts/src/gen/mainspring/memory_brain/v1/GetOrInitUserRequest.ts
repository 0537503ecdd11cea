// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface GetOrInitUserRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'user'?: (string);
  'name'?: (string);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface GetOrInitUserRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'user': (string);
  'name': (string);
  'shard'?: (number);
  '_shard'?: "shard";
}
