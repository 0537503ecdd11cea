// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface SubmitInputResponse {
  'session_id'?: (string);
  /**
   * The run that was begun. Of a steer: the run that it has joined, or began when none was under way; when that is not
   * known within 2 s, the id that a run of its own would have.
   */
  'run_id'?: (string);
  /**
   * Position in the mailbox.
   */
  'mail_no'?: (number | string | Long);
  /**
   * False when this was a repeat of an earlier post.
   */
  'created'?: (boolean);
  /**
   * No event of the run has a seq at or below this: where a reader of the run may begin.
   */
  'after_seq'?: (number | string | Long);
}

export interface SubmitInputResponse__Output {
  'session_id': (string);
  /**
   * The run that was begun. Of a steer: the run that it has joined, or began when none was under way; when that is not
   * known within 2 s, the id that a run of its own would have.
   */
  'run_id': (string);
  /**
   * Position in the mailbox.
   */
  'mail_no': (number);
  /**
   * False when this was a repeat of an earlier post.
   */
  'created': (boolean);
  /**
   * No event of the run has a seq at or below this: where a reader of the run may begin.
   */
  'after_seq': (number);
}
