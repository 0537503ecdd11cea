// Original file: protos/mainspring/engine/v1/engine.proto

import type { EventRecord as _mainspring_engine_v1_EventRecord, EventRecord__Output as _mainspring_engine_v1_EventRecord__Output } from '../../../mainspring/engine/v1/EventRecord.ts';
import type { Long } from '@grpc/proto-loader';

export interface ReadEventsResponse {
  'events'?: (_mainspring_engine_v1_EventRecord)[];
  /**
   * Highest seq looked at; use as after_seq of the next page.
   */
  'last_seq'?: (number | string | Long);
  'at_tip'?: (boolean);
}

export interface ReadEventsResponse__Output {
  'events': (_mainspring_engine_v1_EventRecord__Output)[];
  /**
   * Highest seq looked at; use as after_seq of the next page.
   */
  'last_seq': (number);
  'at_tip': (boolean);
}
