// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface RunUsage {
  'input_tokens'?: (number | string | Long);
  'cached_input_tokens'?: (number | string | Long);
  'output_tokens'?: (number | string | Long);
  'reasoning_tokens'?: (number | string | Long);
}

export interface RunUsage__Output {
  'input_tokens': (number);
  'cached_input_tokens': (number);
  'output_tokens': (number);
  'reasoning_tokens': (number);
}
