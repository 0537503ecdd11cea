// Original file: protos/mainspring/engine/v1/engine.proto

import type { RunInfo as _mainspring_engine_v1_RunInfo, RunInfo__Output as _mainspring_engine_v1_RunInfo__Output } from '../../../mainspring/engine/v1/RunInfo.ts';

export interface GetRunResponse {
  'run'?: (_mainspring_engine_v1_RunInfo | null);
  /**
   * JSON of the RunSpec that the run was started with.
   */
  'spec_json'?: (string);
}

export interface GetRunResponse__Output {
  'run': (_mainspring_engine_v1_RunInfo__Output | null);
  /**
   * JSON of the RunSpec that the run was started with.
   */
  'spec_json': (string);
}
