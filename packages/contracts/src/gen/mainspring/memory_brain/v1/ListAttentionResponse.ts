// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Freshness as _mainspring_memory_brain_v1_Freshness, Freshness__Output as _mainspring_memory_brain_v1_Freshness__Output } from '../../../mainspring/memory_brain/v1/Freshness.ts';

export interface ListAttentionResponse {
  /**
   * The result as JSON.
   */
  'result_json'?: (string);
  'next_cursor'?: (string);
  'freshness'?: (_mainspring_memory_brain_v1_Freshness | null);
}

export interface ListAttentionResponse__Output {
  /**
   * The result as JSON.
   */
  'result_json': (string);
  'next_cursor': (string);
  'freshness': (_mainspring_memory_brain_v1_Freshness__Output | null);
}
