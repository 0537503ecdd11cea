// Original file: protos/mainspring/engine/v1/engine.proto


export interface PutAgentRequest {
  /**
   * JSON: {name, description?, model?, instructions?, tools?: [name] or "*", memory?, exported?}.
   */
  'definition_json'?: (string);
  /**
   * Else one of the same name and another definition is refused with ALREADY_EXISTS.
   */
  'replace'?: (boolean);
}

export interface PutAgentRequest__Output {
  /**
   * JSON: {name, description?, model?, instructions?, tools?: [name] or "*", memory?, exported?}.
   */
  'definition_json': (string);
  /**
   * Else one of the same name and another definition is refused with ALREADY_EXISTS.
   */
  'replace': (boolean);
}
