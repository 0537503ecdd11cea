// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface ExecuteKipRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'shard'?: (number);
  /**
   * A KIP request envelope, or a JSON string that holds one command.
   */
  'request_json'?: (string);
  /**
   * Writes are refused, whatever the envelope says.
   */
  'read_only'?: (boolean);
  '_shard'?: "shard";
}

export interface ExecuteKipRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'shard'?: (number);
  /**
   * A KIP request envelope, or a JSON string that holds one command.
   */
  'request_json': (string);
  /**
   * Writes are refused, whatever the envelope says.
   */
  'read_only': (boolean);
  '_shard'?: "shard";
}
