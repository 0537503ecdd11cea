// Original file: protos/mainspring/engine/v1/engine.proto

import type { AgentInfo as _mainspring_engine_v1_AgentInfo, AgentInfo__Output as _mainspring_engine_v1_AgentInfo__Output } from '../../../mainspring/engine/v1/AgentInfo.ts';

export interface GetAgentResponse {
  'agent'?: (_mainspring_engine_v1_AgentInfo | null);
}

export interface GetAgentResponse__Output {
  'agent': (_mainspring_engine_v1_AgentInfo__Output | null);
}
