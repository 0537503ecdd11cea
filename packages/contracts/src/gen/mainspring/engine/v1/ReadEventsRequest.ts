// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface ReadEventsRequest {
  'session_id'?: (string);
  /**
   * Events with a higher seq are returned.
   */
  'after_seq'?: (number | string | Long);
  'page_size'?: (number);
  /**
   * Only events of this run when set.
   */
  'run_id'?: (string);
}

export interface ReadEventsRequest__Output {
  'session_id': (string);
  /**
   * Events with a higher seq are returned.
   */
  'after_seq': (number);
  'page_size': (number);
  /**
   * Only events of this run when set.
   */
  'run_id': (string);
}
