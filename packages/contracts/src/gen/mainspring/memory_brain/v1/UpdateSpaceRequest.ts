// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface UpdateSpaceRequest {
  'space_id'?: (string);
  'name'?: (string);
  'description'?: (string);
  'public'?: (boolean);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token'?: (string);
  '_name'?: "name";
  '_description'?: "description";
  '_public'?: "public";
  '_shard'?: "shard";
}

export interface UpdateSpaceRequest__Output {
  'space_id': (string);
  'name'?: (string);
  'description'?: (string);
  'public'?: (boolean);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token': (string);
  '_name'?: "name";
  '_description'?: "description";
  '_public'?: "public";
  '_shard'?: "shard";
}
