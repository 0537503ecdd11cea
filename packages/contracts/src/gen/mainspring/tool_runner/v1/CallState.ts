// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto

import type { CallRef as _mainspring_tool_runner_v1_CallRef, CallRef__Output as _mainspring_tool_runner_v1_CallRef__Output } from '../../../mainspring/tool_runner/v1/CallRef.ts';
import type { Long } from '@grpc/proto-loader';

export interface CallState {
  'call'?: (_mainspring_tool_runner_v1_CallRef | null);
  /**
   * absent, started (its runner lives), lost (its runner died), settled, or cancelled (a tombstone).
   */
  'state'?: (string);
  /**
   * Of a settled call.
   */
  'outcome'?: (string);
  'output'?: (string);
  'output_artifact'?: (string);
  'output_bytes'?: (number | string | Long);
  'duration_ms'?: (number);
}

export interface CallState__Output {
  'call': (_mainspring_tool_runner_v1_CallRef__Output | null);
  /**
   * absent, started (its runner lives), lost (its runner died), settled, or cancelled (a tombstone).
   */
  'state': (string);
  /**
   * Of a settled call.
   */
  'outcome': (string);
  'output': (string);
  'output_artifact': (string);
  'output_bytes': (number);
  'duration_ms': (number);
}
