// Original file: protos/mainspring/engine/v1/engine.proto

import type { RunInfo as _mainspring_engine_v1_RunInfo, RunInfo__Output as _mainspring_engine_v1_RunInfo__Output } from '../../../mainspring/engine/v1/RunInfo.ts';

export interface ListRunsResponse {
  'runs'?: (_mainspring_engine_v1_RunInfo)[];
  'next_page_token'?: (string);
}

export interface ListRunsResponse__Output {
  'runs': (_mainspring_engine_v1_RunInfo__Output)[];
  'next_page_token': (string);
}
