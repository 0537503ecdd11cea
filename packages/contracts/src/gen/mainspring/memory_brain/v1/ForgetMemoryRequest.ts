// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface ForgetMemoryRequest {
  'space_id'?: (string);
  'space_token'?: (string);
  'entities'?: (string)[];
  'dry_run'?: (boolean);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface ForgetMemoryRequest__Output {
  'space_id': (string);
  'space_token': (string);
  'entities': (string)[];
  'dry_run': (boolean);
  'shard'?: (number);
  '_shard'?: "shard";
}
