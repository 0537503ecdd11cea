// Original file: protos/mainspring/engine/v1/engine.proto

import type { AgentInfo as _mainspring_engine_v1_AgentInfo, AgentInfo__Output as _mainspring_engine_v1_AgentInfo__Output } from '../../../mainspring/engine/v1/AgentInfo.ts';

export interface ListAgentsResponse {
  'agents'?: (_mainspring_engine_v1_AgentInfo)[];
}

export interface ListAgentsResponse__Output {
  'agents': (_mainspring_engine_v1_AgentInfo__Output)[];
}
