// Original file: protos/mainspring/eval_runner/v1/eval_runner.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelExperimentRequest as _mainspring_eval_runner_v1_CancelExperimentRequest, CancelExperimentRequest__Output as _mainspring_eval_runner_v1_CancelExperimentRequest__Output } from '../../../mainspring/eval_runner/v1/CancelExperimentRequest.ts';
import type { CancelExperimentResponse as _mainspring_eval_runner_v1_CancelExperimentResponse, CancelExperimentResponse__Output as _mainspring_eval_runner_v1_CancelExperimentResponse__Output } from '../../../mainspring/eval_runner/v1/CancelExperimentResponse.ts';
import type { CreateExperimentRequest as _mainspring_eval_runner_v1_CreateExperimentRequest, CreateExperimentRequest__Output as _mainspring_eval_runner_v1_CreateExperimentRequest__Output } from '../../../mainspring/eval_runner/v1/CreateExperimentRequest.ts';
import type { CreateExperimentResponse as _mainspring_eval_runner_v1_CreateExperimentResponse, CreateExperimentResponse__Output as _mainspring_eval_runner_v1_CreateExperimentResponse__Output } from '../../../mainspring/eval_runner/v1/CreateExperimentResponse.ts';
import type { GetExperimentRequest as _mainspring_eval_runner_v1_GetExperimentRequest, GetExperimentRequest__Output as _mainspring_eval_runner_v1_GetExperimentRequest__Output } from '../../../mainspring/eval_runner/v1/GetExperimentRequest.ts';
import type { GetExperimentResponse as _mainspring_eval_runner_v1_GetExperimentResponse, GetExperimentResponse__Output as _mainspring_eval_runner_v1_GetExperimentResponse__Output } from '../../../mainspring/eval_runner/v1/GetExperimentResponse.ts';
import type { GetReportRequest as _mainspring_eval_runner_v1_GetReportRequest, GetReportRequest__Output as _mainspring_eval_runner_v1_GetReportRequest__Output } from '../../../mainspring/eval_runner/v1/GetReportRequest.ts';
import type { GetReportResponse as _mainspring_eval_runner_v1_GetReportResponse, GetReportResponse__Output as _mainspring_eval_runner_v1_GetReportResponse__Output } from '../../../mainspring/eval_runner/v1/GetReportResponse.ts';
import type { ListAttemptsRequest as _mainspring_eval_runner_v1_ListAttemptsRequest, ListAttemptsRequest__Output as _mainspring_eval_runner_v1_ListAttemptsRequest__Output } from '../../../mainspring/eval_runner/v1/ListAttemptsRequest.ts';
import type { ListAttemptsResponse as _mainspring_eval_runner_v1_ListAttemptsResponse, ListAttemptsResponse__Output as _mainspring_eval_runner_v1_ListAttemptsResponse__Output } from '../../../mainspring/eval_runner/v1/ListAttemptsResponse.ts';
import type { ListExperimentsRequest as _mainspring_eval_runner_v1_ListExperimentsRequest, ListExperimentsRequest__Output as _mainspring_eval_runner_v1_ListExperimentsRequest__Output } from '../../../mainspring/eval_runner/v1/ListExperimentsRequest.ts';
import type { ListExperimentsResponse as _mainspring_eval_runner_v1_ListExperimentsResponse, ListExperimentsResponse__Output as _mainspring_eval_runner_v1_ListExperimentsResponse__Output } from '../../../mainspring/eval_runner/v1/ListExperimentsResponse.ts';
import type { WatchExperimentRequest as _mainspring_eval_runner_v1_WatchExperimentRequest, WatchExperimentRequest__Output as _mainspring_eval_runner_v1_WatchExperimentRequest__Output } from '../../../mainspring/eval_runner/v1/WatchExperimentRequest.ts';
import type { WatchExperimentResponse as _mainspring_eval_runner_v1_WatchExperimentResponse, WatchExperimentResponse__Output as _mainspring_eval_runner_v1_WatchExperimentResponse__Output } from '../../../mainspring/eval_runner/v1/WatchExperimentResponse.ts';

/**
 * Experiments: subjects × tasks × repetitions, each cell run through the public API until it has one selected attempt.
 * Everything belongs to the principal's tenant; an experiment of another tenant looks like a missing one.
 */
export interface EvalRunnerServiceClient extends grpc.Client {
  /**
   * Starts no further attempt and cancels those that run. One that has ended stays as it is.
   */
  CancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  CancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  CancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  CancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Starts no further attempt and cancels those that run. One that has ended stays as it is.
   */
  cancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  cancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  cancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  cancelExperiment(argument: _mainspring_eval_runner_v1_CancelExperimentRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CancelExperimentResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The same definition of the same tenant is the same experiment. One that was cancelled, or ended with cells that have
   * no result, goes on with what is missing.
   */
  CreateExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  CreateExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  CreateExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  CreateExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The same definition of the same tenant is the same experiment. One that was cancelled, or ended with cells that have
   * no result, goes on with what is missing.
   */
  createExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  createExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  createExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  createExperiment(argument: _mainspring_eval_runner_v1_CreateExperimentRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_CreateExperimentResponse__Output>): grpc.ClientUnaryCall;
  
  GetExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  GetExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  GetExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  GetExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  getExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  getExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  getExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  getExperiment(argument: _mainspring_eval_runner_v1_GetExperimentRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetExperimentResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Of what has a result so far.
   */
  GetReport(argument: _mainspring_eval_runner_v1_GetReportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  GetReport(argument: _mainspring_eval_runner_v1_GetReportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  GetReport(argument: _mainspring_eval_runner_v1_GetReportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  GetReport(argument: _mainspring_eval_runner_v1_GetReportRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Of what has a result so far.
   */
  getReport(argument: _mainspring_eval_runner_v1_GetReportRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  getReport(argument: _mainspring_eval_runner_v1_GetReportRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  getReport(argument: _mainspring_eval_runner_v1_GetReportRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  getReport(argument: _mainspring_eval_runner_v1_GetReportRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_GetReportResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Every attempt at the cells of the experiment, by cell and number.
   */
  ListAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  ListAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  ListAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  ListAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Every attempt at the cells of the experiment, by cell and number.
   */
  listAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  listAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  listAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  listAttempts(argument: _mainspring_eval_runner_v1_ListAttemptsRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListAttemptsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The latest first.
   */
  ListExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  ListExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  ListExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  ListExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The latest first.
   */
  listExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  listExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  listExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  listExperiments(argument: _mainspring_eval_runner_v1_ListExperimentsRequest, callback: grpc.requestCallback<_mainspring_eval_runner_v1_ListExperimentsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The experiment as it stands, again whenever its progress changes, and a last time when it has ended.
   */
  WatchExperiment(argument: _mainspring_eval_runner_v1_WatchExperimentRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_eval_runner_v1_WatchExperimentResponse__Output>;
  WatchExperiment(argument: _mainspring_eval_runner_v1_WatchExperimentRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_eval_runner_v1_WatchExperimentResponse__Output>;
  /**
   * The experiment as it stands, again whenever its progress changes, and a last time when it has ended.
   */
  watchExperiment(argument: _mainspring_eval_runner_v1_WatchExperimentRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_eval_runner_v1_WatchExperimentResponse__Output>;
  watchExperiment(argument: _mainspring_eval_runner_v1_WatchExperimentRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_eval_runner_v1_WatchExperimentResponse__Output>;
  
}

/**
 * Experiments: subjects × tasks × repetitions, each cell run through the public API until it has one selected attempt.
 * Everything belongs to the principal's tenant; an experiment of another tenant looks like a missing one.
 */
export interface EvalRunnerServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Starts no further attempt and cancels those that run. One that has ended stays as it is.
   */
  CancelExperiment: grpc.handleUnaryCall<_mainspring_eval_runner_v1_CancelExperimentRequest__Output, _mainspring_eval_runner_v1_CancelExperimentResponse>;
  
  /**
   * The same definition of the same tenant is the same experiment. One that was cancelled, or ended with cells that have
   * no result, goes on with what is missing.
   */
  CreateExperiment: grpc.handleUnaryCall<_mainspring_eval_runner_v1_CreateExperimentRequest__Output, _mainspring_eval_runner_v1_CreateExperimentResponse>;
  
  GetExperiment: grpc.handleUnaryCall<_mainspring_eval_runner_v1_GetExperimentRequest__Output, _mainspring_eval_runner_v1_GetExperimentResponse>;
  
  /**
   * Of what has a result so far.
   */
  GetReport: grpc.handleUnaryCall<_mainspring_eval_runner_v1_GetReportRequest__Output, _mainspring_eval_runner_v1_GetReportResponse>;
  
  /**
   * Every attempt at the cells of the experiment, by cell and number.
   */
  ListAttempts: grpc.handleUnaryCall<_mainspring_eval_runner_v1_ListAttemptsRequest__Output, _mainspring_eval_runner_v1_ListAttemptsResponse>;
  
  /**
   * The latest first.
   */
  ListExperiments: grpc.handleUnaryCall<_mainspring_eval_runner_v1_ListExperimentsRequest__Output, _mainspring_eval_runner_v1_ListExperimentsResponse>;
  
  /**
   * The experiment as it stands, again whenever its progress changes, and a last time when it has ended.
   */
  WatchExperiment: grpc.handleServerStreamingCall<_mainspring_eval_runner_v1_WatchExperimentRequest__Output, _mainspring_eval_runner_v1_WatchExperimentResponse>;
  
}

export interface EvalRunnerServiceDefinition extends grpc.ServiceDefinition {
  CancelExperiment: MethodDefinition<_mainspring_eval_runner_v1_CancelExperimentRequest, _mainspring_eval_runner_v1_CancelExperimentResponse, _mainspring_eval_runner_v1_CancelExperimentRequest__Output, _mainspring_eval_runner_v1_CancelExperimentResponse__Output>
  CreateExperiment: MethodDefinition<_mainspring_eval_runner_v1_CreateExperimentRequest, _mainspring_eval_runner_v1_CreateExperimentResponse, _mainspring_eval_runner_v1_CreateExperimentRequest__Output, _mainspring_eval_runner_v1_CreateExperimentResponse__Output>
  GetExperiment: MethodDefinition<_mainspring_eval_runner_v1_GetExperimentRequest, _mainspring_eval_runner_v1_GetExperimentResponse, _mainspring_eval_runner_v1_GetExperimentRequest__Output, _mainspring_eval_runner_v1_GetExperimentResponse__Output>
  GetReport: MethodDefinition<_mainspring_eval_runner_v1_GetReportRequest, _mainspring_eval_runner_v1_GetReportResponse, _mainspring_eval_runner_v1_GetReportRequest__Output, _mainspring_eval_runner_v1_GetReportResponse__Output>
  ListAttempts: MethodDefinition<_mainspring_eval_runner_v1_ListAttemptsRequest, _mainspring_eval_runner_v1_ListAttemptsResponse, _mainspring_eval_runner_v1_ListAttemptsRequest__Output, _mainspring_eval_runner_v1_ListAttemptsResponse__Output>
  ListExperiments: MethodDefinition<_mainspring_eval_runner_v1_ListExperimentsRequest, _mainspring_eval_runner_v1_ListExperimentsResponse, _mainspring_eval_runner_v1_ListExperimentsRequest__Output, _mainspring_eval_runner_v1_ListExperimentsResponse__Output>
  WatchExperiment: MethodDefinition<_mainspring_eval_runner_v1_WatchExperimentRequest, _mainspring_eval_runner_v1_WatchExperimentResponse, _mainspring_eval_runner_v1_WatchExperimentRequest__Output, _mainspring_eval_runner_v1_WatchExperimentResponse__Output>
}
