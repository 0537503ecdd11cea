// Original file: protos/mainspring/engine/v1/engine.proto

import type { RunUsage as _mainspring_engine_v1_RunUsage, RunUsage__Output as _mainspring_engine_v1_RunUsage__Output } from '../../../mainspring/engine/v1/RunUsage.ts';
import type { Long } from '@grpc/proto-loader';

export interface RunInfo {
  'run_id'?: (string);
  'session_id'?: (string);
  /**
   * queued, running, waiting, cancelling, completed, failed, cancelled or exhausted.
   */
  'status'?: (string);
  'client_run_id'?: (string);
  'agent'?: (string);
  'model'?: (string);
  'created_at_ms'?: (number | string | Long);
  'ended_at_ms'?: (number | string | Long);
  /**
   * JSON: {code, message} of a failed run, else empty.
   */
  'error_json'?: (string);
  'usage'?: (_mainspring_engine_v1_RunUsage | null);
  'steps'?: (number);
  /**
   * First and last event of the run known so far.
   */
  'first_seq'?: (number | string | Long);
  'last_seq'?: (number | string | Long);
  /**
   * W3C traceparent that it was accepted under, or empty.
   */
  'traceparent'?: (string);
}

export interface RunInfo__Output {
  'run_id': (string);
  'session_id': (string);
  /**
   * queued, running, waiting, cancelling, completed, failed, cancelled or exhausted.
   */
  'status': (string);
  'client_run_id': (string);
  'agent': (string);
  'model': (string);
  'created_at_ms': (number);
  'ended_at_ms': (number);
  /**
   * JSON: {code, message} of a failed run, else empty.
   */
  'error_json': (string);
  'usage': (_mainspring_engine_v1_RunUsage__Output | null);
  'steps': (number);
  /**
   * First and last event of the run known so far.
   */
  'first_seq': (number);
  'last_seq': (number);
  /**
   * W3C traceparent that it was accepted under, or empty.
   */
  'traceparent': (string);
}
