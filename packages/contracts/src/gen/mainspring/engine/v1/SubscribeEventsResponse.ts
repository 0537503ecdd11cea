// Original file: protos/mainspring/engine/v1/engine.proto

import type { EventRecord as _mainspring_engine_v1_EventRecord, EventRecord__Output as _mainspring_engine_v1_EventRecord__Output } from '../../../mainspring/engine/v1/EventRecord.ts';
import type { Delta as _mainspring_engine_v1_Delta, Delta__Output as _mainspring_engine_v1_Delta__Output } from '../../../mainspring/engine/v1/Delta.ts';
import type { Gap as _mainspring_engine_v1_Gap, Gap__Output as _mainspring_engine_v1_Gap__Output } from '../../../mainspring/engine/v1/Gap.ts';
import type { CaughtUp as _mainspring_engine_v1_CaughtUp, CaughtUp__Output as _mainspring_engine_v1_CaughtUp__Output } from '../../../mainspring/engine/v1/CaughtUp.ts';

export interface SubscribeEventsResponse {
  'event'?: (_mainspring_engine_v1_EventRecord | null);
  'delta'?: (_mainspring_engine_v1_Delta | null);
  /**
   * The reader was too slow or the source lost deltas: nothing durable is missing after a reconnect from here.
   */
  'gap'?: (_mainspring_engine_v1_Gap | null);
  /**
   * Everything committed before the subscription began has been sent.
   */
  'caught_up'?: (_mainspring_engine_v1_CaughtUp | null);
  'item'?: "event"|"delta"|"gap"|"caught_up";
}

export interface SubscribeEventsResponse__Output {
  'event'?: (_mainspring_engine_v1_EventRecord__Output | null);
  'delta'?: (_mainspring_engine_v1_Delta__Output | null);
  /**
   * The reader was too slow or the source lost deltas: nothing durable is missing after a reconnect from here.
   */
  'gap'?: (_mainspring_engine_v1_Gap__Output | null);
  /**
   * Everything committed before the subscription began has been sent.
   */
  'caught_up'?: (_mainspring_engine_v1_CaughtUp__Output | null);
  'item'?: "event"|"delta"|"gap"|"caught_up";
}
