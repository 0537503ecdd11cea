// Original file: protos/mainspring/engine/v1/engine.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelRunRequest as _mainspring_engine_v1_CancelRunRequest, CancelRunRequest__Output as _mainspring_engine_v1_CancelRunRequest__Output } from '../../../mainspring/engine/v1/CancelRunRequest.ts';
import type { CancelRunResponse as _mainspring_engine_v1_CancelRunResponse, CancelRunResponse__Output as _mainspring_engine_v1_CancelRunResponse__Output } from '../../../mainspring/engine/v1/CancelRunResponse.ts';
import type { CreateSessionRequest as _mainspring_engine_v1_CreateSessionRequest, CreateSessionRequest__Output as _mainspring_engine_v1_CreateSessionRequest__Output } from '../../../mainspring/engine/v1/CreateSessionRequest.ts';
import type { CreateSessionResponse as _mainspring_engine_v1_CreateSessionResponse, CreateSessionResponse__Output as _mainspring_engine_v1_CreateSessionResponse__Output } from '../../../mainspring/engine/v1/CreateSessionResponse.ts';
import type { DeleteAgentRequest as _mainspring_engine_v1_DeleteAgentRequest, DeleteAgentRequest__Output as _mainspring_engine_v1_DeleteAgentRequest__Output } from '../../../mainspring/engine/v1/DeleteAgentRequest.ts';
import type { DeleteAgentResponse as _mainspring_engine_v1_DeleteAgentResponse, DeleteAgentResponse__Output as _mainspring_engine_v1_DeleteAgentResponse__Output } from '../../../mainspring/engine/v1/DeleteAgentResponse.ts';
import type { DeleteSessionRequest as _mainspring_engine_v1_DeleteSessionRequest, DeleteSessionRequest__Output as _mainspring_engine_v1_DeleteSessionRequest__Output } from '../../../mainspring/engine/v1/DeleteSessionRequest.ts';
import type { DeleteSessionResponse as _mainspring_engine_v1_DeleteSessionResponse, DeleteSessionResponse__Output as _mainspring_engine_v1_DeleteSessionResponse__Output } from '../../../mainspring/engine/v1/DeleteSessionResponse.ts';
import type { GetAgentRequest as _mainspring_engine_v1_GetAgentRequest, GetAgentRequest__Output as _mainspring_engine_v1_GetAgentRequest__Output } from '../../../mainspring/engine/v1/GetAgentRequest.ts';
import type { GetAgentResponse as _mainspring_engine_v1_GetAgentResponse, GetAgentResponse__Output as _mainspring_engine_v1_GetAgentResponse__Output } from '../../../mainspring/engine/v1/GetAgentResponse.ts';
import type { GetRunRequest as _mainspring_engine_v1_GetRunRequest, GetRunRequest__Output as _mainspring_engine_v1_GetRunRequest__Output } from '../../../mainspring/engine/v1/GetRunRequest.ts';
import type { GetRunResponse as _mainspring_engine_v1_GetRunResponse, GetRunResponse__Output as _mainspring_engine_v1_GetRunResponse__Output } from '../../../mainspring/engine/v1/GetRunResponse.ts';
import type { GetSessionRequest as _mainspring_engine_v1_GetSessionRequest, GetSessionRequest__Output as _mainspring_engine_v1_GetSessionRequest__Output } from '../../../mainspring/engine/v1/GetSessionRequest.ts';
import type { GetSessionResponse as _mainspring_engine_v1_GetSessionResponse, GetSessionResponse__Output as _mainspring_engine_v1_GetSessionResponse__Output } from '../../../mainspring/engine/v1/GetSessionResponse.ts';
import type { GetToolCallRequest as _mainspring_engine_v1_GetToolCallRequest, GetToolCallRequest__Output as _mainspring_engine_v1_GetToolCallRequest__Output } from '../../../mainspring/engine/v1/GetToolCallRequest.ts';
import type { GetToolCallResponse as _mainspring_engine_v1_GetToolCallResponse, GetToolCallResponse__Output as _mainspring_engine_v1_GetToolCallResponse__Output } from '../../../mainspring/engine/v1/GetToolCallResponse.ts';
import type { ListAgentsRequest as _mainspring_engine_v1_ListAgentsRequest, ListAgentsRequest__Output as _mainspring_engine_v1_ListAgentsRequest__Output } from '../../../mainspring/engine/v1/ListAgentsRequest.ts';
import type { ListAgentsResponse as _mainspring_engine_v1_ListAgentsResponse, ListAgentsResponse__Output as _mainspring_engine_v1_ListAgentsResponse__Output } from '../../../mainspring/engine/v1/ListAgentsResponse.ts';
import type { ListRunsRequest as _mainspring_engine_v1_ListRunsRequest, ListRunsRequest__Output as _mainspring_engine_v1_ListRunsRequest__Output } from '../../../mainspring/engine/v1/ListRunsRequest.ts';
import type { ListRunsResponse as _mainspring_engine_v1_ListRunsResponse, ListRunsResponse__Output as _mainspring_engine_v1_ListRunsResponse__Output } from '../../../mainspring/engine/v1/ListRunsResponse.ts';
import type { ListSessionsRequest as _mainspring_engine_v1_ListSessionsRequest, ListSessionsRequest__Output as _mainspring_engine_v1_ListSessionsRequest__Output } from '../../../mainspring/engine/v1/ListSessionsRequest.ts';
import type { ListSessionsResponse as _mainspring_engine_v1_ListSessionsResponse, ListSessionsResponse__Output as _mainspring_engine_v1_ListSessionsResponse__Output } from '../../../mainspring/engine/v1/ListSessionsResponse.ts';
import type { PostToolResultRequest as _mainspring_engine_v1_PostToolResultRequest, PostToolResultRequest__Output as _mainspring_engine_v1_PostToolResultRequest__Output } from '../../../mainspring/engine/v1/PostToolResultRequest.ts';
import type { PostToolResultResponse as _mainspring_engine_v1_PostToolResultResponse, PostToolResultResponse__Output as _mainspring_engine_v1_PostToolResultResponse__Output } from '../../../mainspring/engine/v1/PostToolResultResponse.ts';
import type { PutAgentRequest as _mainspring_engine_v1_PutAgentRequest, PutAgentRequest__Output as _mainspring_engine_v1_PutAgentRequest__Output } from '../../../mainspring/engine/v1/PutAgentRequest.ts';
import type { PutAgentResponse as _mainspring_engine_v1_PutAgentResponse, PutAgentResponse__Output as _mainspring_engine_v1_PutAgentResponse__Output } from '../../../mainspring/engine/v1/PutAgentResponse.ts';
import type { ReadEventsRequest as _mainspring_engine_v1_ReadEventsRequest, ReadEventsRequest__Output as _mainspring_engine_v1_ReadEventsRequest__Output } from '../../../mainspring/engine/v1/ReadEventsRequest.ts';
import type { ReadEventsResponse as _mainspring_engine_v1_ReadEventsResponse, ReadEventsResponse__Output as _mainspring_engine_v1_ReadEventsResponse__Output } from '../../../mainspring/engine/v1/ReadEventsResponse.ts';
import type { ReopenSessionRequest as _mainspring_engine_v1_ReopenSessionRequest, ReopenSessionRequest__Output as _mainspring_engine_v1_ReopenSessionRequest__Output } from '../../../mainspring/engine/v1/ReopenSessionRequest.ts';
import type { ReopenSessionResponse as _mainspring_engine_v1_ReopenSessionResponse, ReopenSessionResponse__Output as _mainspring_engine_v1_ReopenSessionResponse__Output } from '../../../mainspring/engine/v1/ReopenSessionResponse.ts';
import type { SubmitInputRequest as _mainspring_engine_v1_SubmitInputRequest, SubmitInputRequest__Output as _mainspring_engine_v1_SubmitInputRequest__Output } from '../../../mainspring/engine/v1/SubmitInputRequest.ts';
import type { SubmitInputResponse as _mainspring_engine_v1_SubmitInputResponse, SubmitInputResponse__Output as _mainspring_engine_v1_SubmitInputResponse__Output } from '../../../mainspring/engine/v1/SubmitInputResponse.ts';
import type { SubscribeEventsRequest as _mainspring_engine_v1_SubscribeEventsRequest, SubscribeEventsRequest__Output as _mainspring_engine_v1_SubscribeEventsRequest__Output } from '../../../mainspring/engine/v1/SubscribeEventsRequest.ts';
import type { SubscribeEventsResponse as _mainspring_engine_v1_SubscribeEventsResponse, SubscribeEventsResponse__Output as _mainspring_engine_v1_SubscribeEventsResponse__Output } from '../../../mainspring/engine/v1/SubscribeEventsResponse.ts';

/**
 * Sessions, runs, the log and the mailbox. Any replica answers any call: posts are durable inserts, reads come
 * from the log, and only the replica that holds a session commits to it.
 * 
 * The caller's tenant comes with the call's metadata; another tenant's ids answer NOT_FOUND.
 */
export interface EngineServiceClient extends grpc.Client {
  /**
   * Posts a cancel. The answer says accepted; with wait_effective it comes when nothing more can start.
   */
  CancelRun(argument: _mainspring_engine_v1_CancelRunRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  CancelRun(argument: _mainspring_engine_v1_CancelRunRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  CancelRun(argument: _mainspring_engine_v1_CancelRunRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  CancelRun(argument: _mainspring_engine_v1_CancelRunRequest, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Posts a cancel. The answer says accepted; with wait_effective it comes when nothing more can start.
   */
  cancelRun(argument: _mainspring_engine_v1_CancelRunRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  cancelRun(argument: _mainspring_engine_v1_CancelRunRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  cancelRun(argument: _mainspring_engine_v1_CancelRunRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  cancelRun(argument: _mainspring_engine_v1_CancelRunRequest, callback: grpc.requestCallback<_mainspring_engine_v1_CancelRunResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Creates a session, or returns the one made before under the same idempotency key.
   */
  CreateSession(argument: _mainspring_engine_v1_CreateSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  CreateSession(argument: _mainspring_engine_v1_CreateSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  CreateSession(argument: _mainspring_engine_v1_CreateSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  CreateSession(argument: _mainspring_engine_v1_CreateSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Creates a session, or returns the one made before under the same idempotency key.
   */
  createSession(argument: _mainspring_engine_v1_CreateSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  createSession(argument: _mainspring_engine_v1_CreateSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  createSession(argument: _mainspring_engine_v1_CreateSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  createSession(argument: _mainspring_engine_v1_CreateSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_CreateSessionResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Needs the scope `admin`. Runs under way go on as they were started.
   */
  DeleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  DeleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  DeleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  DeleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Needs the scope `admin`. Runs under way go on as they were started.
   */
  deleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  deleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  deleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  deleteAgent(argument: _mainspring_engine_v1_DeleteAgentRequest, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteAgentResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Marks a session deleted. It vanishes from every read.
   */
  DeleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  DeleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  DeleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  DeleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Marks a session deleted. It vanishes from every read.
   */
  deleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  deleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  deleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  deleteSession(argument: _mainspring_engine_v1_DeleteSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_DeleteSessionResponse__Output>): grpc.ClientUnaryCall;
  
  GetAgent(argument: _mainspring_engine_v1_GetAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  GetAgent(argument: _mainspring_engine_v1_GetAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  GetAgent(argument: _mainspring_engine_v1_GetAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  GetAgent(argument: _mainspring_engine_v1_GetAgentRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  getAgent(argument: _mainspring_engine_v1_GetAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  getAgent(argument: _mainspring_engine_v1_GetAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  getAgent(argument: _mainspring_engine_v1_GetAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  getAgent(argument: _mainspring_engine_v1_GetAgentRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetAgentResponse__Output>): grpc.ClientUnaryCall;
  
  GetRun(argument: _mainspring_engine_v1_GetRunRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  GetRun(argument: _mainspring_engine_v1_GetRunRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  GetRun(argument: _mainspring_engine_v1_GetRunRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  GetRun(argument: _mainspring_engine_v1_GetRunRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  getRun(argument: _mainspring_engine_v1_GetRunRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  getRun(argument: _mainspring_engine_v1_GetRunRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  getRun(argument: _mainspring_engine_v1_GetRunRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  getRun(argument: _mainspring_engine_v1_GetRunRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetRunResponse__Output>): grpc.ClientUnaryCall;
  
  GetSession(argument: _mainspring_engine_v1_GetSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _mainspring_engine_v1_GetSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _mainspring_engine_v1_GetSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  GetSession(argument: _mainspring_engine_v1_GetSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  getSession(argument: _mainspring_engine_v1_GetSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  getSession(argument: _mainspring_engine_v1_GetSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  getSession(argument: _mainspring_engine_v1_GetSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  getSession(argument: _mainspring_engine_v1_GetSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetSessionResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The arguments of a dispatched call, for a job that did not carry them.
   */
  GetToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  GetToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  GetToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  GetToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The arguments of a dispatched call, for a job that did not carry them.
   */
  getToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  getToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  getToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  getToolCall(argument: _mainspring_engine_v1_GetToolCallRequest, callback: grpc.requestCallback<_mainspring_engine_v1_GetToolCallResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Agents that the caller may name: exported ones, and all for admins and services.
   */
  ListAgents(argument: _mainspring_engine_v1_ListAgentsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  ListAgents(argument: _mainspring_engine_v1_ListAgentsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  ListAgents(argument: _mainspring_engine_v1_ListAgentsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  ListAgents(argument: _mainspring_engine_v1_ListAgentsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Agents that the caller may name: exported ones, and all for admins and services.
   */
  listAgents(argument: _mainspring_engine_v1_ListAgentsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  listAgents(argument: _mainspring_engine_v1_ListAgentsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  listAgents(argument: _mainspring_engine_v1_ListAgentsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  listAgents(argument: _mainspring_engine_v1_ListAgentsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ListAgentsResponse__Output>): grpc.ClientUnaryCall;
  
  ListRuns(argument: _mainspring_engine_v1_ListRunsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  ListRuns(argument: _mainspring_engine_v1_ListRunsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  ListRuns(argument: _mainspring_engine_v1_ListRunsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  ListRuns(argument: _mainspring_engine_v1_ListRunsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  listRuns(argument: _mainspring_engine_v1_ListRunsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  listRuns(argument: _mainspring_engine_v1_ListRunsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  listRuns(argument: _mainspring_engine_v1_ListRunsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  listRuns(argument: _mainspring_engine_v1_ListRunsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ListRunsResponse__Output>): grpc.ClientUnaryCall;
  
  ListSessions(argument: _mainspring_engine_v1_ListSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _mainspring_engine_v1_ListSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _mainspring_engine_v1_ListSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _mainspring_engine_v1_ListSessionsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _mainspring_engine_v1_ListSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _mainspring_engine_v1_ListSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _mainspring_engine_v1_ListSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _mainspring_engine_v1_ListSessionsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Posts the settled outcome of a tool call. Called by tool-runner; repeats are harmless.
   */
  PostToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  PostToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  PostToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  PostToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Posts the settled outcome of a tool call. Called by tool-runner; repeats are harmless.
   */
  postToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  postToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  postToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  postToolResult(argument: _mainspring_engine_v1_PostToolResultRequest, callback: grpc.requestCallback<_mainspring_engine_v1_PostToolResultResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Defines an agent of the caller's tenant. Needs the scope `admin`.
   */
  PutAgent(argument: _mainspring_engine_v1_PutAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  PutAgent(argument: _mainspring_engine_v1_PutAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  PutAgent(argument: _mainspring_engine_v1_PutAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  PutAgent(argument: _mainspring_engine_v1_PutAgentRequest, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Defines an agent of the caller's tenant. Needs the scope `admin`.
   */
  putAgent(argument: _mainspring_engine_v1_PutAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  putAgent(argument: _mainspring_engine_v1_PutAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  putAgent(argument: _mainspring_engine_v1_PutAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  putAgent(argument: _mainspring_engine_v1_PutAgentRequest, callback: grpc.requestCallback<_mainspring_engine_v1_PutAgentResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * One page of committed events in order.
   */
  ReadEvents(argument: _mainspring_engine_v1_ReadEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  ReadEvents(argument: _mainspring_engine_v1_ReadEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  ReadEvents(argument: _mainspring_engine_v1_ReadEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  ReadEvents(argument: _mainspring_engine_v1_ReadEventsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * One page of committed events in order.
   */
  readEvents(argument: _mainspring_engine_v1_ReadEventsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  readEvents(argument: _mainspring_engine_v1_ReadEventsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  readEvents(argument: _mainspring_engine_v1_ReadEventsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  readEvents(argument: _mainspring_engine_v1_ReadEventsRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ReadEventsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Lets a quarantined session run again.
   */
  ReopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  ReopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  ReopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  ReopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Lets a quarantined session run again.
   */
  reopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  reopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  reopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  reopenSession(argument: _mainspring_engine_v1_ReopenSessionRequest, callback: grpc.requestCallback<_mainspring_engine_v1_ReopenSessionResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Posts user input: starts a run (or queues one), or steers the run under way. Acknowledged when durable.
   */
  SubmitInput(argument: _mainspring_engine_v1_SubmitInputRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  SubmitInput(argument: _mainspring_engine_v1_SubmitInputRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  SubmitInput(argument: _mainspring_engine_v1_SubmitInputRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  SubmitInput(argument: _mainspring_engine_v1_SubmitInputRequest, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Posts user input: starts a run (or queues one), or steers the run under way. Acknowledged when durable.
   */
  submitInput(argument: _mainspring_engine_v1_SubmitInputRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  submitInput(argument: _mainspring_engine_v1_SubmitInputRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  submitInput(argument: _mainspring_engine_v1_SubmitInputRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  submitInput(argument: _mainspring_engine_v1_SubmitInputRequest, callback: grpc.requestCallback<_mainspring_engine_v1_SubmitInputResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Committed events after a cursor and, in between, live deltas. Ends at the run's terminal event when a run is
   * named and follow is unset, else stays open.
   */
  SubscribeEvents(argument: _mainspring_engine_v1_SubscribeEventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_engine_v1_SubscribeEventsResponse__Output>;
  SubscribeEvents(argument: _mainspring_engine_v1_SubscribeEventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_engine_v1_SubscribeEventsResponse__Output>;
  /**
   * Committed events after a cursor and, in between, live deltas. Ends at the run's terminal event when a run is
   * named and follow is unset, else stays open.
   */
  subscribeEvents(argument: _mainspring_engine_v1_SubscribeEventsRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_engine_v1_SubscribeEventsResponse__Output>;
  subscribeEvents(argument: _mainspring_engine_v1_SubscribeEventsRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_engine_v1_SubscribeEventsResponse__Output>;
  
}

/**
 * Sessions, runs, the log and the mailbox. Any replica answers any call: posts are durable inserts, reads come
 * from the log, and only the replica that holds a session commits to it.
 * 
 * The caller's tenant comes with the call's metadata; another tenant's ids answer NOT_FOUND.
 */
export interface EngineServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Posts a cancel. The answer says accepted; with wait_effective it comes when nothing more can start.
   */
  CancelRun: grpc.handleUnaryCall<_mainspring_engine_v1_CancelRunRequest__Output, _mainspring_engine_v1_CancelRunResponse>;
  
  /**
   * Creates a session, or returns the one made before under the same idempotency key.
   */
  CreateSession: grpc.handleUnaryCall<_mainspring_engine_v1_CreateSessionRequest__Output, _mainspring_engine_v1_CreateSessionResponse>;
  
  /**
   * Needs the scope `admin`. Runs under way go on as they were started.
   */
  DeleteAgent: grpc.handleUnaryCall<_mainspring_engine_v1_DeleteAgentRequest__Output, _mainspring_engine_v1_DeleteAgentResponse>;
  
  /**
   * Marks a session deleted. It vanishes from every read.
   */
  DeleteSession: grpc.handleUnaryCall<_mainspring_engine_v1_DeleteSessionRequest__Output, _mainspring_engine_v1_DeleteSessionResponse>;
  
  GetAgent: grpc.handleUnaryCall<_mainspring_engine_v1_GetAgentRequest__Output, _mainspring_engine_v1_GetAgentResponse>;
  
  GetRun: grpc.handleUnaryCall<_mainspring_engine_v1_GetRunRequest__Output, _mainspring_engine_v1_GetRunResponse>;
  
  GetSession: grpc.handleUnaryCall<_mainspring_engine_v1_GetSessionRequest__Output, _mainspring_engine_v1_GetSessionResponse>;
  
  /**
   * The arguments of a dispatched call, for a job that did not carry them.
   */
  GetToolCall: grpc.handleUnaryCall<_mainspring_engine_v1_GetToolCallRequest__Output, _mainspring_engine_v1_GetToolCallResponse>;
  
  /**
   * Agents that the caller may name: exported ones, and all for admins and services.
   */
  ListAgents: grpc.handleUnaryCall<_mainspring_engine_v1_ListAgentsRequest__Output, _mainspring_engine_v1_ListAgentsResponse>;
  
  ListRuns: grpc.handleUnaryCall<_mainspring_engine_v1_ListRunsRequest__Output, _mainspring_engine_v1_ListRunsResponse>;
  
  ListSessions: grpc.handleUnaryCall<_mainspring_engine_v1_ListSessionsRequest__Output, _mainspring_engine_v1_ListSessionsResponse>;
  
  /**
   * Posts the settled outcome of a tool call. Called by tool-runner; repeats are harmless.
   */
  PostToolResult: grpc.handleUnaryCall<_mainspring_engine_v1_PostToolResultRequest__Output, _mainspring_engine_v1_PostToolResultResponse>;
  
  /**
   * Defines an agent of the caller's tenant. Needs the scope `admin`.
   */
  PutAgent: grpc.handleUnaryCall<_mainspring_engine_v1_PutAgentRequest__Output, _mainspring_engine_v1_PutAgentResponse>;
  
  /**
   * One page of committed events in order.
   */
  ReadEvents: grpc.handleUnaryCall<_mainspring_engine_v1_ReadEventsRequest__Output, _mainspring_engine_v1_ReadEventsResponse>;
  
  /**
   * Lets a quarantined session run again.
   */
  ReopenSession: grpc.handleUnaryCall<_mainspring_engine_v1_ReopenSessionRequest__Output, _mainspring_engine_v1_ReopenSessionResponse>;
  
  /**
   * Posts user input: starts a run (or queues one), or steers the run under way. Acknowledged when durable.
   */
  SubmitInput: grpc.handleUnaryCall<_mainspring_engine_v1_SubmitInputRequest__Output, _mainspring_engine_v1_SubmitInputResponse>;
  
  /**
   * Committed events after a cursor and, in between, live deltas. Ends at the run's terminal event when a run is
   * named and follow is unset, else stays open.
   */
  SubscribeEvents: grpc.handleServerStreamingCall<_mainspring_engine_v1_SubscribeEventsRequest__Output, _mainspring_engine_v1_SubscribeEventsResponse>;
  
}

export interface EngineServiceDefinition extends grpc.ServiceDefinition {
  CancelRun: MethodDefinition<_mainspring_engine_v1_CancelRunRequest, _mainspring_engine_v1_CancelRunResponse, _mainspring_engine_v1_CancelRunRequest__Output, _mainspring_engine_v1_CancelRunResponse__Output>
  CreateSession: MethodDefinition<_mainspring_engine_v1_CreateSessionRequest, _mainspring_engine_v1_CreateSessionResponse, _mainspring_engine_v1_CreateSessionRequest__Output, _mainspring_engine_v1_CreateSessionResponse__Output>
  DeleteAgent: MethodDefinition<_mainspring_engine_v1_DeleteAgentRequest, _mainspring_engine_v1_DeleteAgentResponse, _mainspring_engine_v1_DeleteAgentRequest__Output, _mainspring_engine_v1_DeleteAgentResponse__Output>
  DeleteSession: MethodDefinition<_mainspring_engine_v1_DeleteSessionRequest, _mainspring_engine_v1_DeleteSessionResponse, _mainspring_engine_v1_DeleteSessionRequest__Output, _mainspring_engine_v1_DeleteSessionResponse__Output>
  GetAgent: MethodDefinition<_mainspring_engine_v1_GetAgentRequest, _mainspring_engine_v1_GetAgentResponse, _mainspring_engine_v1_GetAgentRequest__Output, _mainspring_engine_v1_GetAgentResponse__Output>
  GetRun: MethodDefinition<_mainspring_engine_v1_GetRunRequest, _mainspring_engine_v1_GetRunResponse, _mainspring_engine_v1_GetRunRequest__Output, _mainspring_engine_v1_GetRunResponse__Output>
  GetSession: MethodDefinition<_mainspring_engine_v1_GetSessionRequest, _mainspring_engine_v1_GetSessionResponse, _mainspring_engine_v1_GetSessionRequest__Output, _mainspring_engine_v1_GetSessionResponse__Output>
  GetToolCall: MethodDefinition<_mainspring_engine_v1_GetToolCallRequest, _mainspring_engine_v1_GetToolCallResponse, _mainspring_engine_v1_GetToolCallRequest__Output, _mainspring_engine_v1_GetToolCallResponse__Output>
  ListAgents: MethodDefinition<_mainspring_engine_v1_ListAgentsRequest, _mainspring_engine_v1_ListAgentsResponse, _mainspring_engine_v1_ListAgentsRequest__Output, _mainspring_engine_v1_ListAgentsResponse__Output>
  ListRuns: MethodDefinition<_mainspring_engine_v1_ListRunsRequest, _mainspring_engine_v1_ListRunsResponse, _mainspring_engine_v1_ListRunsRequest__Output, _mainspring_engine_v1_ListRunsResponse__Output>
  ListSessions: MethodDefinition<_mainspring_engine_v1_ListSessionsRequest, _mainspring_engine_v1_ListSessionsResponse, _mainspring_engine_v1_ListSessionsRequest__Output, _mainspring_engine_v1_ListSessionsResponse__Output>
  PostToolResult: MethodDefinition<_mainspring_engine_v1_PostToolResultRequest, _mainspring_engine_v1_PostToolResultResponse, _mainspring_engine_v1_PostToolResultRequest__Output, _mainspring_engine_v1_PostToolResultResponse__Output>
  PutAgent: MethodDefinition<_mainspring_engine_v1_PutAgentRequest, _mainspring_engine_v1_PutAgentResponse, _mainspring_engine_v1_PutAgentRequest__Output, _mainspring_engine_v1_PutAgentResponse__Output>
  ReadEvents: MethodDefinition<_mainspring_engine_v1_ReadEventsRequest, _mainspring_engine_v1_ReadEventsResponse, _mainspring_engine_v1_ReadEventsRequest__Output, _mainspring_engine_v1_ReadEventsResponse__Output>
  ReopenSession: MethodDefinition<_mainspring_engine_v1_ReopenSessionRequest, _mainspring_engine_v1_ReopenSessionResponse, _mainspring_engine_v1_ReopenSessionRequest__Output, _mainspring_engine_v1_ReopenSessionResponse__Output>
  SubmitInput: MethodDefinition<_mainspring_engine_v1_SubmitInputRequest, _mainspring_engine_v1_SubmitInputResponse, _mainspring_engine_v1_SubmitInputRequest__Output, _mainspring_engine_v1_SubmitInputResponse__Output>
  SubscribeEvents: MethodDefinition<_mainspring_engine_v1_SubscribeEventsRequest, _mainspring_engine_v1_SubscribeEventsResponse, _mainspring_engine_v1_SubscribeEventsRequest__Output, _mainspring_engine_v1_SubscribeEventsResponse__Output>
}
