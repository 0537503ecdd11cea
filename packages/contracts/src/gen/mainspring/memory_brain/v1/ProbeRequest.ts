// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface ProbeRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'query'?: (string);
  /**
   * 1 to 50, 0 for the default of 10.
   */
  'limit'?: (number);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface ProbeRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'query': (string);
  /**
   * 1 to 50, 0 for the default of 10.
   */
  'limit': (number);
  'shard'?: (number);
  '_shard'?: "shard";
}
