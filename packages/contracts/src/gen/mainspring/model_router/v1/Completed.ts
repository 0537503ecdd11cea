// Original file: protos/mainspring/model_router/v1/model_router.proto

import type { Usage as _mainspring_common_v1_Usage, Usage__Output as _mainspring_common_v1_Usage__Output } from '../../../mainspring/common/v1/Usage.ts';

export interface Completed {
  /**
   * JSON array of output items, which can be appended as they are: {type:"message", role:"assistant", text},
   * {type:"reasoning", text, signature?, redacted?}, {type:"function_call", call_id, name, arguments}.
   */
  'items_json'?: (string);
  'usage'?: (_mainspring_common_v1_Usage | null);
  /**
   * stop, length, tool_calls, content_filter.
   */
  'finish_reason'?: (string);
  'served_by'?: (string);
}

export interface Completed__Output {
  /**
   * JSON array of output items, which can be appended as they are: {type:"message", role:"assistant", text},
   * {type:"reasoning", text, signature?, redacted?}, {type:"function_call", call_id, name, arguments}.
   */
  'items_json': (string);
  'usage': (_mainspring_common_v1_Usage__Output | null);
  /**
   * stop, length, tool_calls, content_filter.
   */
  'finish_reason': (string);
  'served_by': (string);
}
