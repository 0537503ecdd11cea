// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelCallsRequest as _mainspring_tool_runner_v1_CancelCallsRequest, CancelCallsRequest__Output as _mainspring_tool_runner_v1_CancelCallsRequest__Output } from '../../../mainspring/tool_runner/v1/CancelCallsRequest.ts';
import type { CancelCallsResponse as _mainspring_tool_runner_v1_CancelCallsResponse, CancelCallsResponse__Output as _mainspring_tool_runner_v1_CancelCallsResponse__Output } from '../../../mainspring/tool_runner/v1/CancelCallsResponse.ts';
import type { ListToolsRequest as _mainspring_tool_runner_v1_ListToolsRequest, ListToolsRequest__Output as _mainspring_tool_runner_v1_ListToolsRequest__Output } from '../../../mainspring/tool_runner/v1/ListToolsRequest.ts';
import type { ListToolsResponse as _mainspring_tool_runner_v1_ListToolsResponse, ListToolsResponse__Output as _mainspring_tool_runner_v1_ListToolsResponse__Output } from '../../../mainspring/tool_runner/v1/ListToolsResponse.ts';
import type { ResolveCallsRequest as _mainspring_tool_runner_v1_ResolveCallsRequest, ResolveCallsRequest__Output as _mainspring_tool_runner_v1_ResolveCallsRequest__Output } from '../../../mainspring/tool_runner/v1/ResolveCallsRequest.ts';
import type { ResolveCallsResponse as _mainspring_tool_runner_v1_ResolveCallsResponse, ResolveCallsResponse__Output as _mainspring_tool_runner_v1_ResolveCallsResponse__Output } from '../../../mainspring/tool_runner/v1/ResolveCallsResponse.ts';

/**
 * The tool catalogue and the effect ledger. Calls themselves arrive as jobs of the queue `tools`.
 */
export interface ToolRunnerServiceClient extends grpc.Client {
  /**
   * Forbids calls: one not yet started gets a tombstone, a running one its stop request.
   */
  CancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  CancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  CancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  CancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Forbids calls: one not yet started gets a tombstone, a running one its stop request.
   */
  cancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  cancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  cancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  cancelCalls(argument: _mainspring_tool_runner_v1_CancelCallsRequest, callback: grpc.requestCallback<_mainspring_tool_runner_v1_CancelCallsResponse__Output>): grpc.ClientUnaryCall;
  
  ListTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  ListTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  ListTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  ListTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  listTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  listTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  listTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  listTools(argument: _mainspring_tool_runner_v1_ListToolsRequest, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ListToolsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * What the ledger knows of calls whose result is overdue. A started call of a dead runner is marked lost here,
   * once and for all, unless it settles first.
   */
  ResolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  ResolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  ResolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  ResolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * What the ledger knows of calls whose result is overdue. A started call of a dead runner is marked lost here,
   * once and for all, unless it settles first.
   */
  resolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  resolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  resolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  resolveCalls(argument: _mainspring_tool_runner_v1_ResolveCallsRequest, callback: grpc.requestCallback<_mainspring_tool_runner_v1_ResolveCallsResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * The tool catalogue and the effect ledger. Calls themselves arrive as jobs of the queue `tools`.
 */
export interface ToolRunnerServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Forbids calls: one not yet started gets a tombstone, a running one its stop request.
   */
  CancelCalls: grpc.handleUnaryCall<_mainspring_tool_runner_v1_CancelCallsRequest__Output, _mainspring_tool_runner_v1_CancelCallsResponse>;
  
  ListTools: grpc.handleUnaryCall<_mainspring_tool_runner_v1_ListToolsRequest__Output, _mainspring_tool_runner_v1_ListToolsResponse>;
  
  /**
   * What the ledger knows of calls whose result is overdue. A started call of a dead runner is marked lost here,
   * once and for all, unless it settles first.
   */
  ResolveCalls: grpc.handleUnaryCall<_mainspring_tool_runner_v1_ResolveCallsRequest__Output, _mainspring_tool_runner_v1_ResolveCallsResponse>;
  
}

export interface ToolRunnerServiceDefinition extends grpc.ServiceDefinition {
  CancelCalls: MethodDefinition<_mainspring_tool_runner_v1_CancelCallsRequest, _mainspring_tool_runner_v1_CancelCallsResponse, _mainspring_tool_runner_v1_CancelCallsRequest__Output, _mainspring_tool_runner_v1_CancelCallsResponse__Output>
  ListTools: MethodDefinition<_mainspring_tool_runner_v1_ListToolsRequest, _mainspring_tool_runner_v1_ListToolsResponse, _mainspring_tool_runner_v1_ListToolsRequest__Output, _mainspring_tool_runner_v1_ListToolsResponse__Output>
  ResolveCalls: MethodDefinition<_mainspring_tool_runner_v1_ResolveCallsRequest, _mainspring_tool_runner_v1_ResolveCallsResponse, _mainspring_tool_runner_v1_ResolveCallsRequest__Output, _mainspring_tool_runner_v1_ResolveCallsResponse__Output>
}
