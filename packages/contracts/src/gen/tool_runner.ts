// Messages of mainspring/tool_runner/v1/tool_runner.proto

export type { CallRef, CallRef__Output } from './mainspring/tool_runner/v1/CallRef.ts';
export type { CallState, CallState__Output } from './mainspring/tool_runner/v1/CallState.ts';
export type { CancelCallsRequest, CancelCallsRequest__Output } from './mainspring/tool_runner/v1/CancelCallsRequest.ts';
export type { CancelCallsResponse, CancelCallsResponse__Output } from './mainspring/tool_runner/v1/CancelCallsResponse.ts';
export type { ListToolsRequest, ListToolsRequest__Output } from './mainspring/tool_runner/v1/ListToolsRequest.ts';
export type { ListToolsResponse, ListToolsResponse__Output } from './mainspring/tool_runner/v1/ListToolsResponse.ts';
export type { ResolveCallsRequest, ResolveCallsRequest__Output } from './mainspring/tool_runner/v1/ResolveCallsRequest.ts';
export type { ResolveCallsResponse, ResolveCallsResponse__Output } from './mainspring/tool_runner/v1/ResolveCallsResponse.ts';
export type { ToolInfo, ToolInfo__Output } from './mainspring/tool_runner/v1/ToolInfo.ts';
