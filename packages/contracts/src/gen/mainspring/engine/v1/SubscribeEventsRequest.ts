// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface SubscribeEventsRequest {
  'session_id'?: (string);
  'after_seq'?: (number | string | Long);
  /**
   * Only events and deltas of this run when set; the stream ends after its terminal event unless follow is set.
   */
  'run_id'?: (string);
  'follow'?: (boolean);
  'deltas'?: (boolean);
}

export interface SubscribeEventsRequest__Output {
  'session_id': (string);
  'after_seq': (number);
  /**
   * Only events and deltas of this run when set; the stream ends after its terminal event unless follow is set.
   */
  'run_id': (string);
  'follow': (boolean);
  'deltas': (boolean);
}
