// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto

import type { CallState as _mainspring_tool_runner_v1_CallState, CallState__Output as _mainspring_tool_runner_v1_CallState__Output } from '../../../mainspring/tool_runner/v1/CallState.ts';

export interface ResolveCallsResponse {
  'calls'?: (_mainspring_tool_runner_v1_CallState)[];
}

export interface ResolveCallsResponse__Output {
  'calls': (_mainspring_tool_runner_v1_CallState__Output)[];
}
