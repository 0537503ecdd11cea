// Original file: protos/mainspring/common/v1/common.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Tokens of one or several model calls. Absent counts are 0.
 */
export interface Usage {
  'input_tokens'?: (number | string | Long);
  'cached_input_tokens'?: (number | string | Long);
  'output_tokens'?: (number | string | Long);
  'reasoning_tokens'?: (number | string | Long);
  /**
   * Model requests that were made.
   */
  'requests'?: (number);
}

/**
 * Tokens of one or several model calls. Absent counts are 0.
 */
export interface Usage__Output {
  'input_tokens': (number);
  'cached_input_tokens': (number);
  'output_tokens': (number);
  'reasoning_tokens': (number);
  /**
   * Model requests that were made.
   */
  'requests': (number);
}
