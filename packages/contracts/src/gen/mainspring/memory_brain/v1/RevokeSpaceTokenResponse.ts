// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface RevokeSpaceTokenResponse {
  'revoked'?: (boolean);
}

export interface RevokeSpaceTokenResponse__Output {
  'revoked': (boolean);
}
