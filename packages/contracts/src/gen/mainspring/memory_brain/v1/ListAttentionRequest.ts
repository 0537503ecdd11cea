// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface ListAttentionRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'attention_cursor'?: (string);
  /**
   * 1 to 50, 0 for the default of 20.
   */
  'limit'?: (number);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface ListAttentionRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'attention_cursor': (string);
  /**
   * 1 to 50, 0 for the default of 20.
   */
  'limit': (number);
  'shard'?: (number);
  '_shard'?: "shard";
}
