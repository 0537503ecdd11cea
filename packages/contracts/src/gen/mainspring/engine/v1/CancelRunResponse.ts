// Original file: protos/mainspring/engine/v1/engine.proto


export interface CancelRunResponse {
  /**
   * accepted, effective or ended (the run was over before).
   */
  'receipt'?: (string);
}

export interface CancelRunResponse__Output {
  /**
   * accepted, effective or ended (the run was over before).
   */
  'receipt': (string);
}
