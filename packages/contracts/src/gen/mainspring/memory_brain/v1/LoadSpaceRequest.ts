// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface LoadSpaceRequest {
  /**
   * In the first frame.
   */
  'space_id'?: (string);
  'user'?: (string);
  'data'?: (Buffer | Uint8Array | string);
}

export interface LoadSpaceRequest__Output {
  /**
   * In the first frame.
   */
  'space_id': (string);
  'user': (string);
  'data': (Buffer);
}
