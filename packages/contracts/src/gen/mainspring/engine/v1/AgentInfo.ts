// Original file: protos/mainspring/engine/v1/engine.proto


export interface AgentInfo {
  'name'?: (string);
  'description'?: (string);
  'model'?: (string);
  'tools'?: (string)[];
}

export interface AgentInfo__Output {
  'name': (string);
  'description': (string);
  'model': (string);
  'tools': (string)[];
}
