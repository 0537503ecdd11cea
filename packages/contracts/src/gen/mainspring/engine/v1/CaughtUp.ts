// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface CaughtUp {
  'last_seq'?: (number | string | Long);
}

export interface CaughtUp__Output {
  'last_seq': (number);
}
