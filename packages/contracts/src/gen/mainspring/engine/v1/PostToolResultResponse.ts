// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface PostToolResultResponse {
  'mail_no'?: (number | string | Long);
}

export interface PostToolResultResponse__Output {
  'mail_no': (number);
}
