// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Space as _mainspring_memory_brain_v1_Space, Space__Output as _mainspring_memory_brain_v1_Space__Output } from '../../../mainspring/memory_brain/v1/Space.ts';
import type { Freshness as _mainspring_memory_brain_v1_Freshness, Freshness__Output as _mainspring_memory_brain_v1_Freshness__Output } from '../../../mainspring/memory_brain/v1/Freshness.ts';

export interface MoveSpaceResponse {
  'space'?: (_mainspring_memory_brain_v1_Space | null);
  'freshness'?: (_mainspring_memory_brain_v1_Freshness | null);
}

export interface MoveSpaceResponse__Output {
  'space': (_mainspring_memory_brain_v1_Space__Output | null);
  'freshness': (_mainspring_memory_brain_v1_Freshness__Output | null);
}
