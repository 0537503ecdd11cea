// Original file: protos/mainspring/engine/v1/engine.proto

import type { SessionInfo as _mainspring_engine_v1_SessionInfo, SessionInfo__Output as _mainspring_engine_v1_SessionInfo__Output } from '../../../mainspring/engine/v1/SessionInfo.ts';

export interface ListSessionsResponse {
  'sessions'?: (_mainspring_engine_v1_SessionInfo)[];
  'next_page_token'?: (string);
}

export interface ListSessionsResponse__Output {
  'sessions': (_mainspring_engine_v1_SessionInfo__Output)[];
  'next_page_token': (string);
}
