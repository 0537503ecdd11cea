// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Long } from '@grpc/proto-loader';

export interface VerifySpaceResponse {
  'equal'?: (boolean);
  'rows'?: (number | string | Long);
  /**
   * First differences, at most 20.
   */
  'differences'?: (string)[];
}

export interface VerifySpaceResponse__Output {
  'equal': (boolean);
  'rows': (number);
  /**
   * First differences, at most 20.
   */
  'differences': (string)[];
}
