// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface GetConversationDeltaRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'collection'?: (string);
  'conversation'?: (string);
  'messages_offset'?: (number);
  'artifacts_offset'?: (number);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface GetConversationDeltaRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'collection': (string);
  'conversation': (string);
  'messages_offset': (number);
  'artifacts_offset': (number);
  'shard'?: (number);
  '_shard'?: "shard";
}
