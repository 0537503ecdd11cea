// Original file: protos/mainspring/model_router/v1/model_router.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ConverseRequest as _mainspring_model_router_v1_ConverseRequest, ConverseRequest__Output as _mainspring_model_router_v1_ConverseRequest__Output } from '../../../mainspring/model_router/v1/ConverseRequest.ts';
import type { ConverseResponse as _mainspring_model_router_v1_ConverseResponse, ConverseResponse__Output as _mainspring_model_router_v1_ConverseResponse__Output } from '../../../mainspring/model_router/v1/ConverseResponse.ts';
import type { ListModelsRequest as _mainspring_model_router_v1_ListModelsRequest, ListModelsRequest__Output as _mainspring_model_router_v1_ListModelsRequest__Output } from '../../../mainspring/model_router/v1/ListModelsRequest.ts';
import type { ListModelsResponse as _mainspring_model_router_v1_ListModelsResponse, ListModelsResponse__Output as _mainspring_model_router_v1_ListModelsResponse__Output } from '../../../mainspring/model_router/v1/ListModelsResponse.ts';

/**
 * Model calls behind labels. One conversation stream serves many model calls: its items are sent once and stay
 * in the router's memory, so a call costs what is new since the call before.
 */
export interface ModelRouterServiceClient extends grpc.Client {
  /**
   * Open, then any number of Append and Generate. One Generate at a time. When the stream breaks the caller opens a
   * new one with all items; the router keeps nothing.
   */
  Converse(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_model_router_v1_ConverseRequest, _mainspring_model_router_v1_ConverseResponse__Output>;
  Converse(options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_model_router_v1_ConverseRequest, _mainspring_model_router_v1_ConverseResponse__Output>;
  /**
   * Open, then any number of Append and Generate. One Generate at a time. When the stream breaks the caller opens a
   * new one with all items; the router keeps nothing.
   */
  converse(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_model_router_v1_ConverseRequest, _mainspring_model_router_v1_ConverseResponse__Output>;
  converse(options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_model_router_v1_ConverseRequest, _mainspring_model_router_v1_ConverseResponse__Output>;
  
  ListModels(argument: _mainspring_model_router_v1_ListModelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  ListModels(argument: _mainspring_model_router_v1_ListModelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  ListModels(argument: _mainspring_model_router_v1_ListModelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  ListModels(argument: _mainspring_model_router_v1_ListModelsRequest, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _mainspring_model_router_v1_ListModelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _mainspring_model_router_v1_ListModelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _mainspring_model_router_v1_ListModelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _mainspring_model_router_v1_ListModelsRequest, callback: grpc.requestCallback<_mainspring_model_router_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Model calls behind labels. One conversation stream serves many model calls: its items are sent once and stay
 * in the router's memory, so a call costs what is new since the call before.
 */
export interface ModelRouterServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Open, then any number of Append and Generate. One Generate at a time. When the stream breaks the caller opens a
   * new one with all items; the router keeps nothing.
   */
  Converse: grpc.handleBidiStreamingCall<_mainspring_model_router_v1_ConverseRequest__Output, _mainspring_model_router_v1_ConverseResponse>;
  
  ListModels: grpc.handleUnaryCall<_mainspring_model_router_v1_ListModelsRequest__Output, _mainspring_model_router_v1_ListModelsResponse>;
  
}

export interface ModelRouterServiceDefinition extends grpc.ServiceDefinition {
  Converse: MethodDefinition<_mainspring_model_router_v1_ConverseRequest, _mainspring_model_router_v1_ConverseResponse, _mainspring_model_router_v1_ConverseRequest__Output, _mainspring_model_router_v1_ConverseResponse__Output>
  ListModels: MethodDefinition<_mainspring_model_router_v1_ListModelsRequest, _mainspring_model_router_v1_ListModelsResponse, _mainspring_model_router_v1_ListModelsRequest__Output, _mainspring_model_router_v1_ListModelsResponse__Output>
}
