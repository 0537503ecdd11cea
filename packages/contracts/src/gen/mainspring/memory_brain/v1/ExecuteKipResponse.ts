// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Freshness as _mainspring_memory_brain_v1_Freshness, Freshness__Output as _mainspring_memory_brain_v1_Freshness__Output } from '../../../mainspring/memory_brain/v1/Freshness.ts';

export interface ExecuteKipResponse {
  'response_json'?: (string);
  'freshness'?: (_mainspring_memory_brain_v1_Freshness | null);
}

export interface ExecuteKipResponse__Output {
  'response_json': (string);
  'freshness': (_mainspring_memory_brain_v1_Freshness__Output | null);
}
