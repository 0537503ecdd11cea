// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto


export interface CreateExperimentRequest {
  /**
   * name, subjects, tasks, repetitions, timeout_seconds; at most 1 MiB.
   */
  'definition_json'?: (string);
  /**
   * 0: no limit of its own.
   */
  'concurrency'?: (number);
}

export interface CreateExperimentRequest__Output {
  /**
   * name, subjects, tasks, repetitions, timeout_seconds; at most 1 MiB.
   */
  'definition_json': (string);
  /**
   * 0: no limit of its own.
   */
  'concurrency': (number);
}
