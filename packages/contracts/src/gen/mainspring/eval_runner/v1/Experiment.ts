// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto

import type { Progress as _mainspring_eval_runner_v1_Progress, Progress__Output as _mainspring_eval_runner_v1_Progress__Output } from '../../../mainspring/eval_runner/v1/Progress.ts';
import type { Long } from '@grpc/proto-loader';

export interface Experiment {
  'id'?: (string);
  'name'?: (string);
  /**
   * running, cancelling, cancelled or completed.
   */
  'status'?: (string);
  /**
   * How often it was started: a rerun counts one more.
   */
  'round'?: (number);
  /**
   * Cells that run at once; 0: as many as the runners take.
   */
  'concurrency'?: (number);
  'progress'?: (_mainspring_eval_runner_v1_Progress | null);
  'created_at_ms'?: (number | string | Long);
  /**
   * 0 while it runs.
   */
  'ended_at_ms'?: (number | string | Long);
  /**
   * The definition with its defaults; empty in lists.
   */
  'definition_json'?: (string);
}

export interface Experiment__Output {
  'id': (string);
  'name': (string);
  /**
   * running, cancelling, cancelled or completed.
   */
  'status': (string);
  /**
   * How often it was started: a rerun counts one more.
   */
  'round': (number);
  /**
   * Cells that run at once; 0: as many as the runners take.
   */
  'concurrency': (number);
  'progress': (_mainspring_eval_runner_v1_Progress__Output | null);
  'created_at_ms': (number);
  /**
   * 0 while it runs.
   */
  'ended_at_ms': (number);
  /**
   * The definition with its defaults; empty in lists.
   */
  'definition_json': (string);
}
