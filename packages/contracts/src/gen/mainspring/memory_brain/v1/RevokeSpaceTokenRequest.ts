// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface RevokeSpaceTokenRequest {
  'space_id'?: (string);
  /**
   * One of the two.
   */
  'token'?: (string);
  'name'?: (string);
}

export interface RevokeSpaceTokenRequest__Output {
  'space_id': (string);
  /**
   * One of the two.
   */
  'token': (string);
  'name': (string);
}
