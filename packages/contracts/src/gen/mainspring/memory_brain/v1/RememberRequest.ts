// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface RememberRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'text'?: (string);
  /**
   * Who said it, the subject of the principal when empty.
   */
  'user'?: (string);
  /**
   * A repeated key answers as the first time.
   */
  'idempotency_key'?: (string);
  'shard'?: (number);
  /**
   * Agent that keeps it for `user`. Only a service of the deployment says so; it gives nobody rights.
   */
  'agent'?: (string);
  '_shard'?: "shard";
}

export interface RememberRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'text': (string);
  /**
   * Who said it, the subject of the principal when empty.
   */
  'user': (string);
  /**
   * A repeated key answers as the first time.
   */
  'idempotency_key': (string);
  'shard'?: (number);
  /**
   * Agent that keeps it for `user`. Only a service of the deployment says so; it gives nobody rights.
   */
  'agent': (string);
  '_shard'?: "shard";
}
