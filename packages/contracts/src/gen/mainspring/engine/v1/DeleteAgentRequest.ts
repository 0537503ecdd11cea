// Original file: protos/mainspring/engine/v1/engine.proto


export interface DeleteAgentRequest {
  'name'?: (string);
}

export interface DeleteAgentRequest__Output {
  'name': (string);
}
