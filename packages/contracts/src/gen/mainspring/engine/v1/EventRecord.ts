// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface EventRecord {
  'seq'?: (number | string | Long);
  'type'?: (string);
  'at_ms'?: (number | string | Long);
  'run_id'?: (string);
  'step'?: (number);
  'origin'?: (string);
  /**
   * JSON object, see the engine's event schemas.
   */
  'data_json'?: (string);
}

export interface EventRecord__Output {
  'seq': (number);
  'type': (string);
  'at_ms': (number);
  'run_id': (string);
  'step': (number);
  'origin': (string);
  /**
   * JSON object, see the engine's event schemas.
   */
  'data_json': (string);
}
