// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface RememberResponse {
  'conversation'?: (string);
  /**
   * Evidence that holds the text.
   */
  'entities'?: (string)[];
}

export interface RememberResponse__Output {
  'conversation': (string);
  /**
   * Evidence that holds the text.
   */
  'entities': (string)[];
}
