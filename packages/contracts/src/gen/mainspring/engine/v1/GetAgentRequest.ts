// Original file: protos/mainspring/engine/v1/engine.proto


export interface GetAgentRequest {
  'name'?: (string);
}

export interface GetAgentRequest__Output {
  'name': (string);
}
