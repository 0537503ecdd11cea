// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto

import type { CallRef as _mainspring_tool_runner_v1_CallRef, CallRef__Output as _mainspring_tool_runner_v1_CallRef__Output } from '../../../mainspring/tool_runner/v1/CallRef.ts';

export interface CancelCallsRequest {
  /**
   * At most 64.
   */
  'calls'?: (_mainspring_tool_runner_v1_CallRef)[];
}

export interface CancelCallsRequest__Output {
  /**
   * At most 64.
   */
  'calls': (_mainspring_tool_runner_v1_CallRef__Output)[];
}
