// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface DeleteSpaceRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  /**
   * Of an explicit `Shard-Id`; absent: wherever the Space is.
   */
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface DeleteSpaceRequest__Output {
  'space_id': (string);
  'space_token': (string);
  /**
   * Of an explicit `Shard-Id`; absent: wherever the Space is.
   */
  'shard'?: (number);
  '_shard'?: "shard";
}
