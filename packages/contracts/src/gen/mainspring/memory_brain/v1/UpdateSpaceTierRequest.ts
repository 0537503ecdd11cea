// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface UpdateSpaceTierRequest {
  'space_id'?: (string);
  'tier'?: (number);
}

export interface UpdateSpaceTierRequest__Output {
  'space_id': (string);
  'tier': (number);
}
