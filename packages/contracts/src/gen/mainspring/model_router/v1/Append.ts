// Original file: protos/mainspring/model_router/v1/model_router.proto


export interface Append {
  /**
   * JSON array of items: message, function_call, function_call_output, reasoning (Responses API shapes).
   * At most 1 MiB a frame; a longer list comes in several.
   */
  'items_json'?: (string);
}

export interface Append__Output {
  /**
   * JSON array of items: message, function_call, function_call_output, reasoning (Responses API shapes).
   * At most 1 MiB a frame; a longer list comes in several.
   */
  'items_json': (string);
}
