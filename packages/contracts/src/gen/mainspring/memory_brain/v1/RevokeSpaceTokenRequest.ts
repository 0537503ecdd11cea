// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface RevokeSpaceTokenRequest {
  'space_id'?: (string);
  /**
   * One of the two.
   */
  'token'?: (string);
  'name'?: (string);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token'?: (string);
  '_shard'?: "shard";
}

export interface RevokeSpaceTokenRequest__Output {
  'space_id': (string);
  /**
   * One of the two.
   */
  'token': (string);
  'name': (string);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token': (string);
  '_shard'?: "shard";
}
