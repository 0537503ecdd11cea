// Original file: protos/mainspring/model_router/v1/model_router.proto


export interface Open {
  'model'?: (string);
  'instructions'?: (string);
  /**
   * JSON array of function tools {type:"function", name, description, parameters, strict?}.
   */
  'tools_json'?: (string);
  /**
   * JSON object: temperature, top_p, max_output_tokens, tool_choice, parallel_tool_calls, reasoning, text, and those that
   * one provider knows: top_k, thinking.
   */
  'params_json'?: (string);
}

export interface Open__Output {
  'model': (string);
  'instructions': (string);
  /**
   * JSON array of function tools {type:"function", name, description, parameters, strict?}.
   */
  'tools_json': (string);
  /**
   * JSON object: temperature, top_p, max_output_tokens, tool_choice, parallel_tool_calls, reasoning, text, and those that
   * one provider knows: top_k, thinking.
   */
  'params_json': (string);
}
