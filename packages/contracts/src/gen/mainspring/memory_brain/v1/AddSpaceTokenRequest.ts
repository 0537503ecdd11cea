// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { TokenLabels as _mainspring_memory_brain_v1_TokenLabels, TokenLabels__Output as _mainspring_memory_brain_v1_TokenLabels__Output } from '../../../mainspring/memory_brain/v1/TokenLabels.ts';
import type { Long } from '@grpc/proto-loader';

export interface AddSpaceTokenRequest {
  'space_id'?: (string);
  'name'?: (string);
  'scope'?: (string);
  'expires_at_ms'?: (number | string | Long);
  /**
   * Only with scope `read`.
   */
  'labels'?: (_mainspring_memory_brain_v1_TokenLabels | null);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token'?: (string);
  '_expires_at_ms'?: "expires_at_ms";
  '_shard'?: "shard";
}

export interface AddSpaceTokenRequest__Output {
  'space_id': (string);
  'name': (string);
  'scope': (string);
  'expires_at_ms'?: (number);
  /**
   * Only with scope `read`.
   */
  'labels': (_mainspring_memory_brain_v1_TokenLabels__Output | null);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token': (string);
  '_expires_at_ms'?: "expires_at_ms";
  '_shard'?: "shard";
}
