// Original file: protos/mainspring/engine/v1/engine.proto

import type { Long } from '@grpc/proto-loader';

export interface PostToolResultRequest {
  'session_id'?: (string);
  'call_id'?: (string);
  'attempt'?: (number);
  /**
   * completed, failed, cancelled or unknown.
   */
  'outcome'?: (string);
  /**
   * The text that the model gets; empty when output_artifact is set.
   */
  'output'?: (string);
  /**
   * Digest of the whole output when it was too large for a message; output then holds a preview.
   */
  'output_artifact'?: (string);
  'output_bytes'?: (number | string | Long);
  'duration_ms'?: (number);
  /**
   * Set when the outcome came after the call had been settled as unknown.
   */
  'late'?: (boolean);
  /**
   * Of the run, or empty.
   */
  'traceparent'?: (string);
  /**
   * From the job: a mail number known to exist, and who held the session then. Hints that save a look.
   */
  'known_mail'?: (number | string | Long);
  'holder'?: (string);
}

export interface PostToolResultRequest__Output {
  'session_id': (string);
  'call_id': (string);
  'attempt': (number);
  /**
   * completed, failed, cancelled or unknown.
   */
  'outcome': (string);
  /**
   * The text that the model gets; empty when output_artifact is set.
   */
  'output': (string);
  /**
   * Digest of the whole output when it was too large for a message; output then holds a preview.
   */
  'output_artifact': (string);
  'output_bytes': (number);
  'duration_ms': (number);
  /**
   * Set when the outcome came after the call had been settled as unknown.
   */
  'late': (boolean);
  /**
   * Of the run, or empty.
   */
  'traceparent': (string);
  /**
   * From the job: a mail number known to exist, and who held the session then. Hints that save a look.
   */
  'known_mail': (number);
  'holder': (string);
}
