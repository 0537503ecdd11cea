// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface UpdateSpaceRequest {
  'space_id'?: (string);
  'name'?: (string);
  'description'?: (string);
  'public'?: (boolean);
  '_name'?: "name";
  '_description'?: "description";
  '_public'?: "public";
}

export interface UpdateSpaceRequest__Output {
  'space_id': (string);
  'name'?: (string);
  'description'?: (string);
  'public'?: (boolean);
  '_name'?: "name";
  '_description'?: "description";
  '_public'?: "public";
}
