// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface ListConversationsRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  /**
   * formation (default), recall or maintenance.
   */
  'collection'?: (string);
  'cursor'?: (string);
  'limit'?: (number);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface ListConversationsRequest__Output {
  'space_id': (string);
  'space_token': (string);
  /**
   * formation (default), recall or maintenance.
   */
  'collection': (string);
  'cursor': (string);
  'limit': (number);
  'shard'?: (number);
  '_shard'?: "shard";
}
