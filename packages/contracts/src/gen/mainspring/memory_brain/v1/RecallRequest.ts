// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface RecallRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'query'?: (string);
  /**
   * 1 to 50, 0 for the default of 8.
   */
  'limit'?: (number);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface RecallRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'query': (string);
  /**
   * 1 to 50, 0 for the default of 8.
   */
  'limit': (number);
  'shard'?: (number);
  '_shard'?: "shard";
}
