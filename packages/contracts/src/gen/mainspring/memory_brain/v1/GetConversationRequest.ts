// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface GetConversationRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'collection'?: (string);
  'conversation'?: (string);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface GetConversationRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'collection': (string);
  'conversation': (string);
  'shard'?: (number);
  '_shard'?: "shard";
}
