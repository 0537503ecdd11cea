// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Citation as _mainspring_memory_brain_v1_Citation, Citation__Output as _mainspring_memory_brain_v1_Citation__Output } from '../../../mainspring/memory_brain/v1/Citation.ts';
import type { Freshness as _mainspring_memory_brain_v1_Freshness, Freshness__Output as _mainspring_memory_brain_v1_Freshness__Output } from '../../../mainspring/memory_brain/v1/Freshness.ts';

export interface ProbeResponse {
  'found'?: (boolean);
  'negative_cached'?: (boolean);
  'search_exhaustive'?: (boolean);
  'hits'?: (_mainspring_memory_brain_v1_Citation)[];
  'freshness'?: (_mainspring_memory_brain_v1_Freshness | null);
}

export interface ProbeResponse__Output {
  'found': (boolean);
  'negative_cached': (boolean);
  'search_exhaustive': (boolean);
  'hits': (_mainspring_memory_brain_v1_Citation__Output)[];
  'freshness': (_mainspring_memory_brain_v1_Freshness__Output | null);
}
