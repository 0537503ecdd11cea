// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto


export interface CallRef {
  'session_id'?: (string);
  'call_id'?: (string);
  'attempt'?: (number);
}

export interface CallRef__Output {
  'session_id': (string);
  'call_id': (string);
  'attempt': (number);
}
