// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Space as _mainspring_memory_brain_v1_Space, Space__Output as _mainspring_memory_brain_v1_Space__Output } from '../../../mainspring/memory_brain/v1/Space.ts';

export interface ListSpacesResponse {
  'spaces'?: (_mainspring_memory_brain_v1_Space)[];
  'next_page_token'?: (string);
}

export interface ListSpacesResponse__Output {
  'spaces': (_mainspring_memory_brain_v1_Space__Output)[];
  'next_page_token': (string);
}
