// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface SessionInfo {
  'session_id'?: (string);
  'agent'?: (string);
  'title'?: (string);
  /**
   * idle, running, quarantined or deleted.
   */
  'status'?: (string);
  /**
   * Unix milliseconds.
   */
  'created_at_ms'?: (number | string | Long);
  'updated_at_ms'?: (number | string | Long);
  'last_run_id'?: (string);
  'status_reason'?: (string);
}

export interface SessionInfo__Output {
  'session_id': (string);
  'agent': (string);
  'title': (string);
  /**
   * idle, running, quarantined or deleted.
   */
  'status': (string);
  /**
   * Unix milliseconds.
   */
  'created_at_ms': (number);
  'updated_at_ms': (number);
  'last_run_id': (string);
  'status_reason': (string);
}
