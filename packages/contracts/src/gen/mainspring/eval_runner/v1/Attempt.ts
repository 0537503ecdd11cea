// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto

import type { Long } from '@grpc/proto-loader';

export interface Attempt {
  'cell_id'?: (string);
  'subject'?: (string);
  'task'?: (string);
  /**
   * From 1.
   */
  'repetition'?: (number);
  /**
   * From 1 within its cell.
   */
  'number'?: (number);
  /**
   * running, passed, failed, error or cancelled.
   */
  'outcome'?: (string);
  /**
   * Whether it is the result of its cell.
   */
  'selected'?: (boolean);
  /**
   * At most 16,384 characters of the answer.
   */
  'text'?: (string);
  /**
   * Characters of the whole answer.
   */
  'text_chars'?: (number);
  'input_tokens'?: (number | string | Long);
  'cached_input_tokens'?: (number | string | Long);
  'output_tokens'?: (number | string | Long);
  'reasoning_tokens'?: (number | string | Long);
  /**
   * Of the run, by the gateway's clock.
   */
  'duration_ms'?: (number | string | Long);
  'response_id'?: (string);
  'run_id'?: (string);
  'trace_id'?: (string);
  /**
   * Empty without an error.
   */
  'error_code'?: (string);
  'error_message'?: (string);
  'started_at_ms'?: (number | string | Long);
  /**
   * 0 while it runs.
   */
  'ended_at_ms'?: (number | string | Long);
}

export interface Attempt__Output {
  'cell_id': (string);
  'subject': (string);
  'task': (string);
  /**
   * From 1.
   */
  'repetition': (number);
  /**
   * From 1 within its cell.
   */
  'number': (number);
  /**
   * running, passed, failed, error or cancelled.
   */
  'outcome': (string);
  /**
   * Whether it is the result of its cell.
   */
  'selected': (boolean);
  /**
   * At most 16,384 characters of the answer.
   */
  'text': (string);
  /**
   * Characters of the whole answer.
   */
  'text_chars': (number);
  'input_tokens': (number);
  'cached_input_tokens': (number);
  'output_tokens': (number);
  'reasoning_tokens': (number);
  /**
   * Of the run, by the gateway's clock.
   */
  'duration_ms': (number);
  'response_id': (string);
  'run_id': (string);
  'trace_id': (string);
  /**
   * Empty without an error.
   */
  'error_code': (string);
  'error_message': (string);
  'started_at_ms': (number);
  /**
   * 0 while it runs.
   */
  'ended_at_ms': (number);
}
