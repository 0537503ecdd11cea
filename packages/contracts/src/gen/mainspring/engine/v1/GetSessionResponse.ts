// Original file: protos/mainspring/engine/v1/engine.proto

import type { SessionInfo as _mainspring_engine_v1_SessionInfo, SessionInfo__Output as _mainspring_engine_v1_SessionInfo__Output } from '../../../mainspring/engine/v1/SessionInfo.ts';

export interface GetSessionResponse {
  'session'?: (_mainspring_engine_v1_SessionInfo | null);
}

export interface GetSessionResponse__Output {
  'session': (_mainspring_engine_v1_SessionInfo__Output | null);
}
