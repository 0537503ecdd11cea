// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface DumpSpaceResponse {
  'data'?: (Buffer | Uint8Array | string);
}

export interface DumpSpaceResponse__Output {
  'data': (Buffer);
}
