// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface Gap {
  'last_seq'?: (number | string | Long);
}

export interface Gap__Output {
  'last_seq': (number);
}
