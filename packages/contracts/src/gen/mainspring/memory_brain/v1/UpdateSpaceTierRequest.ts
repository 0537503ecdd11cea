// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface UpdateSpaceTierRequest {
  'space_id'?: (string);
  'tier'?: (number);
  'shard'?: (number);
  '_shard'?: "shard";
}

export interface UpdateSpaceTierRequest__Output {
  'space_id': (string);
  'tier': (number);
  'shard'?: (number);
  '_shard'?: "shard";
}
