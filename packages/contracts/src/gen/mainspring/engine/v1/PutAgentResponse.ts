// Original file: protos/mainspring/engine/v1/engine.proto

import type { AgentInfo as _mainspring_engine_v1_AgentInfo, AgentInfo__Output as _mainspring_engine_v1_AgentInfo__Output } from '../../../mainspring/engine/v1/AgentInfo.ts';

export interface PutAgentResponse {
  'agent'?: (_mainspring_engine_v1_AgentInfo | null);
  'created'?: (boolean);
}

export interface PutAgentResponse__Output {
  'agent': (_mainspring_engine_v1_AgentInfo__Output | null);
  'created': (boolean);
}
