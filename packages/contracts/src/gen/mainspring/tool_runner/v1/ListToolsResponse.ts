// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto

import type { ToolInfo as _mainspring_tool_runner_v1_ToolInfo, ToolInfo__Output as _mainspring_tool_runner_v1_ToolInfo__Output } from '../../../mainspring/tool_runner/v1/ToolInfo.ts';

export interface ListToolsResponse {
  'tools'?: (_mainspring_tool_runner_v1_ToolInfo)[];
  /**
   * Changes whenever any definition does.
   */
  'catalogue_digest'?: (string);
}

export interface ListToolsResponse__Output {
  'tools': (_mainspring_tool_runner_v1_ToolInfo__Output)[];
  /**
   * Changes whenever any definition does.
   */
  'catalogue_digest': (string);
}
