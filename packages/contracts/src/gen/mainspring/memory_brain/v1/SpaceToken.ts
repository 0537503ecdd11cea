// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { TokenLabels as _mainspring_memory_brain_v1_TokenLabels, TokenLabels__Output as _mainspring_memory_brain_v1_TokenLabels__Output } from '../../../mainspring/memory_brain/v1/TokenLabels.ts';
import type { Long } from '@grpc/proto-loader';

export interface SpaceToken {
  /**
   * The first 8 characters and `…`, or the whole value in AddSpaceTokenResponse.
   */
  'token'?: (string);
  'name'?: (string);
  /**
   * read, write or *.
   */
  'scope'?: (string);
  'usage'?: (number | string | Long);
  'created_at_ms'?: (number | string | Long);
  'updated_at_ms'?: (number | string | Long);
  'expires_at_ms'?: (number | string | Long);
  /**
   * Absent: unrestricted. Else it reads nothing of the memory, which has no labels yet: only about the Space itself.
   */
  'labels'?: (_mainspring_memory_brain_v1_TokenLabels | null);
  '_expires_at_ms'?: "expires_at_ms";
}

export interface SpaceToken__Output {
  /**
   * The first 8 characters and `…`, or the whole value in AddSpaceTokenResponse.
   */
  'token': (string);
  'name': (string);
  /**
   * read, write or *.
   */
  'scope': (string);
  'usage': (number);
  'created_at_ms': (number);
  'updated_at_ms': (number);
  'expires_at_ms'?: (number);
  /**
   * Absent: unrestricted. Else it reads nothing of the memory, which has no labels yet: only about the Space itself.
   */
  'labels': (_mainspring_memory_brain_v1_TokenLabels__Output | null);
  '_expires_at_ms'?: "expires_at_ms";
}
