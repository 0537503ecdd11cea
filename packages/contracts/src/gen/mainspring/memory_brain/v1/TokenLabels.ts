// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface TokenLabels {
  'labels'?: (string)[];
}

export interface TokenLabels__Output {
  'labels': (string)[];
}
