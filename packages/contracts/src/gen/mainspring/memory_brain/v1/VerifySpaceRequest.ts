// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface VerifySpaceRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  /**
   * Of an explicit `Shard-Id`; absent: wherever the Space is.
   */
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface VerifySpaceRequest__Output {
  'space_id': (string);
  'space_token': (string);
  /**
   * Of an explicit `Shard-Id`; absent: wherever the Space is.
   */
  'shard'?: (number);
  '_shard'?: "shard";
}
