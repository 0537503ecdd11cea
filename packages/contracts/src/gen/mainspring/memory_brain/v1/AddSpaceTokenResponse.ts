// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { SpaceToken as _mainspring_memory_brain_v1_SpaceToken, SpaceToken__Output as _mainspring_memory_brain_v1_SpaceToken__Output } from '../../../mainspring/memory_brain/v1/SpaceToken.ts';

export interface AddSpaceTokenResponse {
  'token'?: (_mainspring_memory_brain_v1_SpaceToken | null);
}

export interface AddSpaceTokenResponse__Output {
  'token': (_mainspring_memory_brain_v1_SpaceToken__Output | null);
}
