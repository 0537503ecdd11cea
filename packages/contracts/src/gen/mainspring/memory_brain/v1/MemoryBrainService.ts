// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddSpaceTokenRequest as _mainspring_memory_brain_v1_AddSpaceTokenRequest, AddSpaceTokenRequest__Output as _mainspring_memory_brain_v1_AddSpaceTokenRequest__Output } from '../../../mainspring/memory_brain/v1/AddSpaceTokenRequest.ts';
import type { AddSpaceTokenResponse as _mainspring_memory_brain_v1_AddSpaceTokenResponse, AddSpaceTokenResponse__Output as _mainspring_memory_brain_v1_AddSpaceTokenResponse__Output } from '../../../mainspring/memory_brain/v1/AddSpaceTokenResponse.ts';
import type { CreateSpaceRequest as _mainspring_memory_brain_v1_CreateSpaceRequest, CreateSpaceRequest__Output as _mainspring_memory_brain_v1_CreateSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/CreateSpaceRequest.ts';
import type { CreateSpaceResponse as _mainspring_memory_brain_v1_CreateSpaceResponse, CreateSpaceResponse__Output as _mainspring_memory_brain_v1_CreateSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/CreateSpaceResponse.ts';
import type { DeleteSpaceRequest as _mainspring_memory_brain_v1_DeleteSpaceRequest, DeleteSpaceRequest__Output as _mainspring_memory_brain_v1_DeleteSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/DeleteSpaceRequest.ts';
import type { DeleteSpaceResponse as _mainspring_memory_brain_v1_DeleteSpaceResponse, DeleteSpaceResponse__Output as _mainspring_memory_brain_v1_DeleteSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/DeleteSpaceResponse.ts';
import type { DumpSpaceRequest as _mainspring_memory_brain_v1_DumpSpaceRequest, DumpSpaceRequest__Output as _mainspring_memory_brain_v1_DumpSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/DumpSpaceRequest.ts';
import type { DumpSpaceResponse as _mainspring_memory_brain_v1_DumpSpaceResponse, DumpSpaceResponse__Output as _mainspring_memory_brain_v1_DumpSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/DumpSpaceResponse.ts';
import type { ExecuteKipRequest as _mainspring_memory_brain_v1_ExecuteKipRequest, ExecuteKipRequest__Output as _mainspring_memory_brain_v1_ExecuteKipRequest__Output } from '../../../mainspring/memory_brain/v1/ExecuteKipRequest.ts';
import type { ExecuteKipResponse as _mainspring_memory_brain_v1_ExecuteKipResponse, ExecuteKipResponse__Output as _mainspring_memory_brain_v1_ExecuteKipResponse__Output } from '../../../mainspring/memory_brain/v1/ExecuteKipResponse.ts';
import type { ForgetMemoryRequest as _mainspring_memory_brain_v1_ForgetMemoryRequest, ForgetMemoryRequest__Output as _mainspring_memory_brain_v1_ForgetMemoryRequest__Output } from '../../../mainspring/memory_brain/v1/ForgetMemoryRequest.ts';
import type { ForgetMemoryResponse as _mainspring_memory_brain_v1_ForgetMemoryResponse, ForgetMemoryResponse__Output as _mainspring_memory_brain_v1_ForgetMemoryResponse__Output } from '../../../mainspring/memory_brain/v1/ForgetMemoryResponse.ts';
import type { GetConversationDeltaRequest as _mainspring_memory_brain_v1_GetConversationDeltaRequest, GetConversationDeltaRequest__Output as _mainspring_memory_brain_v1_GetConversationDeltaRequest__Output } from '../../../mainspring/memory_brain/v1/GetConversationDeltaRequest.ts';
import type { GetConversationDeltaResponse as _mainspring_memory_brain_v1_GetConversationDeltaResponse, GetConversationDeltaResponse__Output as _mainspring_memory_brain_v1_GetConversationDeltaResponse__Output } from '../../../mainspring/memory_brain/v1/GetConversationDeltaResponse.ts';
import type { GetConversationRequest as _mainspring_memory_brain_v1_GetConversationRequest, GetConversationRequest__Output as _mainspring_memory_brain_v1_GetConversationRequest__Output } from '../../../mainspring/memory_brain/v1/GetConversationRequest.ts';
import type { GetConversationResponse as _mainspring_memory_brain_v1_GetConversationResponse, GetConversationResponse__Output as _mainspring_memory_brain_v1_GetConversationResponse__Output } from '../../../mainspring/memory_brain/v1/GetConversationResponse.ts';
import type { GetFormationStatusRequest as _mainspring_memory_brain_v1_GetFormationStatusRequest, GetFormationStatusRequest__Output as _mainspring_memory_brain_v1_GetFormationStatusRequest__Output } from '../../../mainspring/memory_brain/v1/GetFormationStatusRequest.ts';
import type { GetFormationStatusResponse as _mainspring_memory_brain_v1_GetFormationStatusResponse, GetFormationStatusResponse__Output as _mainspring_memory_brain_v1_GetFormationStatusResponse__Output } from '../../../mainspring/memory_brain/v1/GetFormationStatusResponse.ts';
import type { GetOrInitUserRequest as _mainspring_memory_brain_v1_GetOrInitUserRequest, GetOrInitUserRequest__Output as _mainspring_memory_brain_v1_GetOrInitUserRequest__Output } from '../../../mainspring/memory_brain/v1/GetOrInitUserRequest.ts';
import type { GetOrInitUserResponse as _mainspring_memory_brain_v1_GetOrInitUserResponse, GetOrInitUserResponse__Output as _mainspring_memory_brain_v1_GetOrInitUserResponse__Output } from '../../../mainspring/memory_brain/v1/GetOrInitUserResponse.ts';
import type { GetSpaceRequest as _mainspring_memory_brain_v1_GetSpaceRequest, GetSpaceRequest__Output as _mainspring_memory_brain_v1_GetSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/GetSpaceRequest.ts';
import type { GetSpaceResponse as _mainspring_memory_brain_v1_GetSpaceResponse, GetSpaceResponse__Output as _mainspring_memory_brain_v1_GetSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/GetSpaceResponse.ts';
import type { ListAttentionRequest as _mainspring_memory_brain_v1_ListAttentionRequest, ListAttentionRequest__Output as _mainspring_memory_brain_v1_ListAttentionRequest__Output } from '../../../mainspring/memory_brain/v1/ListAttentionRequest.ts';
import type { ListAttentionResponse as _mainspring_memory_brain_v1_ListAttentionResponse, ListAttentionResponse__Output as _mainspring_memory_brain_v1_ListAttentionResponse__Output } from '../../../mainspring/memory_brain/v1/ListAttentionResponse.ts';
import type { ListConversationsRequest as _mainspring_memory_brain_v1_ListConversationsRequest, ListConversationsRequest__Output as _mainspring_memory_brain_v1_ListConversationsRequest__Output } from '../../../mainspring/memory_brain/v1/ListConversationsRequest.ts';
import type { ListConversationsResponse as _mainspring_memory_brain_v1_ListConversationsResponse, ListConversationsResponse__Output as _mainspring_memory_brain_v1_ListConversationsResponse__Output } from '../../../mainspring/memory_brain/v1/ListConversationsResponse.ts';
import type { ListDraftsRequest as _mainspring_memory_brain_v1_ListDraftsRequest, ListDraftsRequest__Output as _mainspring_memory_brain_v1_ListDraftsRequest__Output } from '../../../mainspring/memory_brain/v1/ListDraftsRequest.ts';
import type { ListDraftsResponse as _mainspring_memory_brain_v1_ListDraftsResponse, ListDraftsResponse__Output as _mainspring_memory_brain_v1_ListDraftsResponse__Output } from '../../../mainspring/memory_brain/v1/ListDraftsResponse.ts';
import type { ListSpaceTokensRequest as _mainspring_memory_brain_v1_ListSpaceTokensRequest, ListSpaceTokensRequest__Output as _mainspring_memory_brain_v1_ListSpaceTokensRequest__Output } from '../../../mainspring/memory_brain/v1/ListSpaceTokensRequest.ts';
import type { ListSpaceTokensResponse as _mainspring_memory_brain_v1_ListSpaceTokensResponse, ListSpaceTokensResponse__Output as _mainspring_memory_brain_v1_ListSpaceTokensResponse__Output } from '../../../mainspring/memory_brain/v1/ListSpaceTokensResponse.ts';
import type { ListSpacesRequest as _mainspring_memory_brain_v1_ListSpacesRequest, ListSpacesRequest__Output as _mainspring_memory_brain_v1_ListSpacesRequest__Output } from '../../../mainspring/memory_brain/v1/ListSpacesRequest.ts';
import type { ListSpacesResponse as _mainspring_memory_brain_v1_ListSpacesResponse, ListSpacesResponse__Output as _mainspring_memory_brain_v1_ListSpacesResponse__Output } from '../../../mainspring/memory_brain/v1/ListSpacesResponse.ts';
import type { LoadSpaceRequest as _mainspring_memory_brain_v1_LoadSpaceRequest, LoadSpaceRequest__Output as _mainspring_memory_brain_v1_LoadSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/LoadSpaceRequest.ts';
import type { LoadSpaceResponse as _mainspring_memory_brain_v1_LoadSpaceResponse, LoadSpaceResponse__Output as _mainspring_memory_brain_v1_LoadSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/LoadSpaceResponse.ts';
import type { MoveSpaceRequest as _mainspring_memory_brain_v1_MoveSpaceRequest, MoveSpaceRequest__Output as _mainspring_memory_brain_v1_MoveSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/MoveSpaceRequest.ts';
import type { MoveSpaceResponse as _mainspring_memory_brain_v1_MoveSpaceResponse, MoveSpaceResponse__Output as _mainspring_memory_brain_v1_MoveSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/MoveSpaceResponse.ts';
import type { PinMemoryRequest as _mainspring_memory_brain_v1_PinMemoryRequest, PinMemoryRequest__Output as _mainspring_memory_brain_v1_PinMemoryRequest__Output } from '../../../mainspring/memory_brain/v1/PinMemoryRequest.ts';
import type { PinMemoryResponse as _mainspring_memory_brain_v1_PinMemoryResponse, PinMemoryResponse__Output as _mainspring_memory_brain_v1_PinMemoryResponse__Output } from '../../../mainspring/memory_brain/v1/PinMemoryResponse.ts';
import type { ProbeRequest as _mainspring_memory_brain_v1_ProbeRequest, ProbeRequest__Output as _mainspring_memory_brain_v1_ProbeRequest__Output } from '../../../mainspring/memory_brain/v1/ProbeRequest.ts';
import type { ProbeResponse as _mainspring_memory_brain_v1_ProbeResponse, ProbeResponse__Output as _mainspring_memory_brain_v1_ProbeResponse__Output } from '../../../mainspring/memory_brain/v1/ProbeResponse.ts';
import type { PromoteDraftRequest as _mainspring_memory_brain_v1_PromoteDraftRequest, PromoteDraftRequest__Output as _mainspring_memory_brain_v1_PromoteDraftRequest__Output } from '../../../mainspring/memory_brain/v1/PromoteDraftRequest.ts';
import type { PromoteDraftResponse as _mainspring_memory_brain_v1_PromoteDraftResponse, PromoteDraftResponse__Output as _mainspring_memory_brain_v1_PromoteDraftResponse__Output } from '../../../mainspring/memory_brain/v1/PromoteDraftResponse.ts';
import type { RecallRequest as _mainspring_memory_brain_v1_RecallRequest, RecallRequest__Output as _mainspring_memory_brain_v1_RecallRequest__Output } from '../../../mainspring/memory_brain/v1/RecallRequest.ts';
import type { RecallResponse as _mainspring_memory_brain_v1_RecallResponse, RecallResponse__Output as _mainspring_memory_brain_v1_RecallResponse__Output } from '../../../mainspring/memory_brain/v1/RecallResponse.ts';
import type { RememberRequest as _mainspring_memory_brain_v1_RememberRequest, RememberRequest__Output as _mainspring_memory_brain_v1_RememberRequest__Output } from '../../../mainspring/memory_brain/v1/RememberRequest.ts';
import type { RememberResponse as _mainspring_memory_brain_v1_RememberResponse, RememberResponse__Output as _mainspring_memory_brain_v1_RememberResponse__Output } from '../../../mainspring/memory_brain/v1/RememberResponse.ts';
import type { RevokeSpaceTokenRequest as _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, RevokeSpaceTokenRequest__Output as _mainspring_memory_brain_v1_RevokeSpaceTokenRequest__Output } from '../../../mainspring/memory_brain/v1/RevokeSpaceTokenRequest.ts';
import type { RevokeSpaceTokenResponse as _mainspring_memory_brain_v1_RevokeSpaceTokenResponse, RevokeSpaceTokenResponse__Output as _mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output } from '../../../mainspring/memory_brain/v1/RevokeSpaceTokenResponse.ts';
import type { UpdateSpaceRequest as _mainspring_memory_brain_v1_UpdateSpaceRequest, UpdateSpaceRequest__Output as _mainspring_memory_brain_v1_UpdateSpaceRequest__Output } from '../../../mainspring/memory_brain/v1/UpdateSpaceRequest.ts';
import type { UpdateSpaceResponse as _mainspring_memory_brain_v1_UpdateSpaceResponse, UpdateSpaceResponse__Output as _mainspring_memory_brain_v1_UpdateSpaceResponse__Output } from '../../../mainspring/memory_brain/v1/UpdateSpaceResponse.ts';
import type { UpdateSpaceTierRequest as _mainspring_memory_brain_v1_UpdateSpaceTierRequest, UpdateSpaceTierRequest__Output as _mainspring_memory_brain_v1_UpdateSpaceTierRequest__Output } from '../../../mainspring/memory_brain/v1/UpdateSpaceTierRequest.ts';
import type { UpdateSpaceTierResponse as _mainspring_memory_brain_v1_UpdateSpaceTierResponse, UpdateSpaceTierResponse__Output as _mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output } from '../../../mainspring/memory_brain/v1/UpdateSpaceTierResponse.ts';
import type { VerifySpaceRequest as _mainspring_memory_brain_v1_VerifySpaceRequest, VerifySpaceRequest__Output as _mainspring_memory_brain_v1_VerifySpaceRequest__Output } from '../../../mainspring/memory_brain/v1/VerifySpaceRequest.ts';
import type { VerifySpaceResponse as _mainspring_memory_brain_v1_VerifySpaceResponse, VerifySpaceResponse__Output as _mainspring_memory_brain_v1_VerifySpaceResponse__Output } from '../../../mainspring/memory_brain/v1/VerifySpaceResponse.ts';

/**
 * Spaces: pinned, belief-aware memory that speaks KIP 2.0. Any memory worker takes any call; one that does not own the
 * Space passes it to the owner.
 * 
 * Who calls is in the call's principal. Scopes that count here: `service` (another service of the deployment, for the
 * principal's tenant), `admin` (manages Spaces), `cwt` (the caller showed a CWT), and `space:read`, `space:write`,
 * `space:*` (rights on the Space that the call names; they do not nest, `space:*` satisfies all). A Space token comes in
 * `space_token` as it was presented and is checked by the Space. A Space of another tenant looks like a missing one.
 */
export interface MemoryBrainServiceClient extends grpc.Client {
  /**
   * The only answer that holds the token's full value.
   */
  AddSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  AddSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  AddSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  AddSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The only answer that holds the token's full value.
   */
  addSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  addSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  addSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  addSpaceToken(argument: _mainspring_memory_brain_v1_AddSpaceTokenRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Needs `admin`. An id that exists is refused with `already_exists`.
   */
  CreateSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  CreateSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  CreateSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  CreateSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Needs `admin`. An id that exists is refused with `already_exists`.
   */
  createSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  createSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  createSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  createSpace(argument: _mainspring_memory_brain_v1_CreateSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_CreateSpaceResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Removes a Space with everything in it; its name is free again. One that broke off is finished by a repeat. Needs `admin`.
   */
  DeleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  DeleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  DeleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  DeleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Removes a Space with everything in it; its name is free again. One that broke off is finished by a repeat. Needs `admin`.
   */
  deleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  deleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  deleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  deleteSpace(argument: _mainspring_memory_brain_v1_DeleteSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_DeleteSpaceResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The whole Space as frames of at most 1 MiB; what LoadSpace takes. Its tokens are not in it. Needs `admin`.
   */
  DumpSpace(argument: _mainspring_memory_brain_v1_DumpSpaceRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_memory_brain_v1_DumpSpaceResponse__Output>;
  DumpSpace(argument: _mainspring_memory_brain_v1_DumpSpaceRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_memory_brain_v1_DumpSpaceResponse__Output>;
  /**
   * The whole Space as frames of at most 1 MiB; what LoadSpace takes. Its tokens are not in it. Needs `admin`.
   */
  dumpSpace(argument: _mainspring_memory_brain_v1_DumpSpaceRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_memory_brain_v1_DumpSpaceResponse__Output>;
  dumpSpace(argument: _mainspring_memory_brain_v1_DumpSpaceRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_mainspring_memory_brain_v1_DumpSpaceResponse__Output>;
  
  /**
   * A KIP request in, a KIP response out, both whole envelopes as JSON. A failed KIP request is an answer, not an error.
   */
  ExecuteKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  ExecuteKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  ExecuteKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  ExecuteKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  /**
   * A KIP request in, a KIP response out, both whole envelopes as JSON. A failed KIP request is an answer, not an error.
   */
  executeKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  executeKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  executeKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  executeKip(argument: _mainspring_memory_brain_v1_ExecuteKipRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ExecuteKipResponse__Output>): grpc.ClientUnaryCall;
  
  ForgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  ForgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  ForgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  ForgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  forgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  forgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  forgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  forgetMemory(argument: _mainspring_memory_brain_v1_ForgetMemoryRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ForgetMemoryResponse__Output>): grpc.ClientUnaryCall;
  
  GetConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  GetConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  GetConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  GetConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  getConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  getConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  getConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  getConversation(argument: _mainspring_memory_brain_v1_GetConversationRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationResponse__Output>): grpc.ClientUnaryCall;
  
  GetConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  GetConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  GetConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  GetConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  getConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  getConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  getConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  getConversationDelta(argument: _mainspring_memory_brain_v1_GetConversationDeltaRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>): grpc.ClientUnaryCall;
  
  GetFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  GetFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  GetFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  GetFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  getFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  getFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  getFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  getFormationStatus(argument: _mainspring_memory_brain_v1_GetFormationStatusRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetFormationStatusResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The Person concept of a user, made when it is missing.
   */
  GetOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  GetOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  GetOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  GetOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The Person concept of a user, made when it is missing.
   */
  getOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  getOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  getOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  getOrInitUser(argument: _mainspring_memory_brain_v1_GetOrInitUserRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetOrInitUserResponse__Output>): grpc.ClientUnaryCall;
  
  GetSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  GetSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  GetSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  GetSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  getSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  getSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  getSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  getSpace(argument: _mainspring_memory_brain_v1_GetSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_GetSpaceResponse__Output>): grpc.ClientUnaryCall;
  
  ListAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  ListAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  ListAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  ListAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  listAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  listAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  listAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  listAttention(argument: _mainspring_memory_brain_v1_ListAttentionRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListAttentionResponse__Output>): grpc.ClientUnaryCall;
  
  ListConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  ListConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  ListConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  ListConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  listConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  listConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  listConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  listConversations(argument: _mainspring_memory_brain_v1_ListConversationsRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListConversationsResponse__Output>): grpc.ClientUnaryCall;
  
  ListDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  ListDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  ListDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  ListDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  listDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  listDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  listDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  listDrafts(argument: _mainspring_memory_brain_v1_ListDraftsRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListDraftsResponse__Output>): grpc.ClientUnaryCall;
  
  ListSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  ListSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  ListSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  ListSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  listSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  listSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  listSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  listSpaceTokens(argument: _mainspring_memory_brain_v1_ListSpaceTokensRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The Spaces of the principal's tenant, by id.
   */
  ListSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  ListSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  ListSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  ListSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The Spaces of the principal's tenant, by id.
   */
  listSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  listSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  listSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  listSpaces(argument: _mainspring_memory_brain_v1_ListSpacesRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ListSpacesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Creates a Space from a dump, under the id of the first frame. It has no tokens, also where the dump has. Needs `admin`.
   */
  LoadSpace(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_memory_brain_v1_LoadSpaceRequest, _mainspring_memory_brain_v1_LoadSpaceResponse__Output>;
  LoadSpace(options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_memory_brain_v1_LoadSpaceRequest, _mainspring_memory_brain_v1_LoadSpaceResponse__Output>;
  /**
   * Creates a Space from a dump, under the id of the first frame. It has no tokens, also where the dump has. Needs `admin`.
   */
  loadSpace(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_memory_brain_v1_LoadSpaceRequest, _mainspring_memory_brain_v1_LoadSpaceResponse__Output>;
  loadSpace(options?: grpc.CallOptions): grpc.ClientDuplexStream<_mainspring_memory_brain_v1_LoadSpaceRequest, _mainspring_memory_brain_v1_LoadSpaceResponse__Output>;
  
  /**
   * Hands a Space to another shard. Needs `admin`.
   */
  MoveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  MoveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  MoveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  MoveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Hands a Space to another shard. Needs `admin`.
   */
  moveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  moveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  moveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  moveSpace(argument: _mainspring_memory_brain_v1_MoveSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_MoveSpaceResponse__Output>): grpc.ClientUnaryCall;
  
  PinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  PinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  PinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  PinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  pinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  pinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  pinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  pinMemory(argument: _mainspring_memory_brain_v1_PinMemoryRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PinMemoryResponse__Output>): grpc.ClientUnaryCall;
  
  Probe(argument: _mainspring_memory_brain_v1_ProbeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  Probe(argument: _mainspring_memory_brain_v1_ProbeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  Probe(argument: _mainspring_memory_brain_v1_ProbeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  Probe(argument: _mainspring_memory_brain_v1_ProbeRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  probe(argument: _mainspring_memory_brain_v1_ProbeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  probe(argument: _mainspring_memory_brain_v1_ProbeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  probe(argument: _mainspring_memory_brain_v1_ProbeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  probe(argument: _mainspring_memory_brain_v1_ProbeRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_ProbeResponse__Output>): grpc.ClientUnaryCall;
  
  PromoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  PromoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  PromoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  PromoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  promoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  promoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  promoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  promoteDraft(argument: _mainspring_memory_brain_v1_PromoteDraftRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_PromoteDraftResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The best passages for a query, with what they cite. Calls no model.
   */
  Recall(argument: _mainspring_memory_brain_v1_RecallRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  Recall(argument: _mainspring_memory_brain_v1_RecallRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  Recall(argument: _mainspring_memory_brain_v1_RecallRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  Recall(argument: _mainspring_memory_brain_v1_RecallRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The best passages for a query, with what they cite. Calls no model.
   */
  recall(argument: _mainspring_memory_brain_v1_RecallRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  recall(argument: _mainspring_memory_brain_v1_RecallRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  recall(argument: _mainspring_memory_brain_v1_RecallRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  recall(argument: _mainspring_memory_brain_v1_RecallRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RecallResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Keeps a text as Evidence, as one conversation of the collection `formation`.
   */
  Remember(argument: _mainspring_memory_brain_v1_RememberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  Remember(argument: _mainspring_memory_brain_v1_RememberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  Remember(argument: _mainspring_memory_brain_v1_RememberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  Remember(argument: _mainspring_memory_brain_v1_RememberRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Keeps a text as Evidence, as one conversation of the collection `formation`.
   */
  remember(argument: _mainspring_memory_brain_v1_RememberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  remember(argument: _mainspring_memory_brain_v1_RememberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  remember(argument: _mainspring_memory_brain_v1_RememberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  remember(argument: _mainspring_memory_brain_v1_RememberRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RememberResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  RevokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  RevokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  RevokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  revokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  revokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  revokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  revokeSpaceToken(argument: _mainspring_memory_brain_v1_RevokeSpaceTokenRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  UpdateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  UpdateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  UpdateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  updateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  updateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  updateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  updateSpace(argument: _mainspring_memory_brain_v1_UpdateSpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Needs `admin`.
   */
  UpdateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  UpdateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  UpdateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  UpdateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Needs `admin`.
   */
  updateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  updateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  updateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  updateSpaceTier(argument: _mainspring_memory_brain_v1_UpdateSpaceTierRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Compares the local database with its snapshot and records. Needs `admin`.
   */
  VerifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  VerifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  VerifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  VerifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Compares the local database with its snapshot and records. Needs `admin`.
   */
  verifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  verifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  verifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  verifySpace(argument: _mainspring_memory_brain_v1_VerifySpaceRequest, callback: grpc.requestCallback<_mainspring_memory_brain_v1_VerifySpaceResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Spaces: pinned, belief-aware memory that speaks KIP 2.0. Any memory worker takes any call; one that does not own the
 * Space passes it to the owner.
 * 
 * Who calls is in the call's principal. Scopes that count here: `service` (another service of the deployment, for the
 * principal's tenant), `admin` (manages Spaces), `cwt` (the caller showed a CWT), and `space:read`, `space:write`,
 * `space:*` (rights on the Space that the call names; they do not nest, `space:*` satisfies all). A Space token comes in
 * `space_token` as it was presented and is checked by the Space. A Space of another tenant looks like a missing one.
 */
export interface MemoryBrainServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * The only answer that holds the token's full value.
   */
  AddSpaceToken: grpc.handleUnaryCall<_mainspring_memory_brain_v1_AddSpaceTokenRequest__Output, _mainspring_memory_brain_v1_AddSpaceTokenResponse>;
  
  /**
   * Needs `admin`. An id that exists is refused with `already_exists`.
   */
  CreateSpace: grpc.handleUnaryCall<_mainspring_memory_brain_v1_CreateSpaceRequest__Output, _mainspring_memory_brain_v1_CreateSpaceResponse>;
  
  /**
   * Removes a Space with everything in it; its name is free again. One that broke off is finished by a repeat. Needs `admin`.
   */
  DeleteSpace: grpc.handleUnaryCall<_mainspring_memory_brain_v1_DeleteSpaceRequest__Output, _mainspring_memory_brain_v1_DeleteSpaceResponse>;
  
  /**
   * The whole Space as frames of at most 1 MiB; what LoadSpace takes. Its tokens are not in it. Needs `admin`.
   */
  DumpSpace: grpc.handleServerStreamingCall<_mainspring_memory_brain_v1_DumpSpaceRequest__Output, _mainspring_memory_brain_v1_DumpSpaceResponse>;
  
  /**
   * A KIP request in, a KIP response out, both whole envelopes as JSON. A failed KIP request is an answer, not an error.
   */
  ExecuteKip: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ExecuteKipRequest__Output, _mainspring_memory_brain_v1_ExecuteKipResponse>;
  
  ForgetMemory: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ForgetMemoryRequest__Output, _mainspring_memory_brain_v1_ForgetMemoryResponse>;
  
  GetConversation: grpc.handleUnaryCall<_mainspring_memory_brain_v1_GetConversationRequest__Output, _mainspring_memory_brain_v1_GetConversationResponse>;
  
  GetConversationDelta: grpc.handleUnaryCall<_mainspring_memory_brain_v1_GetConversationDeltaRequest__Output, _mainspring_memory_brain_v1_GetConversationDeltaResponse>;
  
  GetFormationStatus: grpc.handleUnaryCall<_mainspring_memory_brain_v1_GetFormationStatusRequest__Output, _mainspring_memory_brain_v1_GetFormationStatusResponse>;
  
  /**
   * The Person concept of a user, made when it is missing.
   */
  GetOrInitUser: grpc.handleUnaryCall<_mainspring_memory_brain_v1_GetOrInitUserRequest__Output, _mainspring_memory_brain_v1_GetOrInitUserResponse>;
  
  GetSpace: grpc.handleUnaryCall<_mainspring_memory_brain_v1_GetSpaceRequest__Output, _mainspring_memory_brain_v1_GetSpaceResponse>;
  
  ListAttention: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ListAttentionRequest__Output, _mainspring_memory_brain_v1_ListAttentionResponse>;
  
  ListConversations: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ListConversationsRequest__Output, _mainspring_memory_brain_v1_ListConversationsResponse>;
  
  ListDrafts: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ListDraftsRequest__Output, _mainspring_memory_brain_v1_ListDraftsResponse>;
  
  ListSpaceTokens: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ListSpaceTokensRequest__Output, _mainspring_memory_brain_v1_ListSpaceTokensResponse>;
  
  /**
   * The Spaces of the principal's tenant, by id.
   */
  ListSpaces: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ListSpacesRequest__Output, _mainspring_memory_brain_v1_ListSpacesResponse>;
  
  /**
   * Creates a Space from a dump, under the id of the first frame. It has no tokens, also where the dump has. Needs `admin`.
   */
  LoadSpace: grpc.handleBidiStreamingCall<_mainspring_memory_brain_v1_LoadSpaceRequest__Output, _mainspring_memory_brain_v1_LoadSpaceResponse>;
  
  /**
   * Hands a Space to another shard. Needs `admin`.
   */
  MoveSpace: grpc.handleUnaryCall<_mainspring_memory_brain_v1_MoveSpaceRequest__Output, _mainspring_memory_brain_v1_MoveSpaceResponse>;
  
  PinMemory: grpc.handleUnaryCall<_mainspring_memory_brain_v1_PinMemoryRequest__Output, _mainspring_memory_brain_v1_PinMemoryResponse>;
  
  Probe: grpc.handleUnaryCall<_mainspring_memory_brain_v1_ProbeRequest__Output, _mainspring_memory_brain_v1_ProbeResponse>;
  
  PromoteDraft: grpc.handleUnaryCall<_mainspring_memory_brain_v1_PromoteDraftRequest__Output, _mainspring_memory_brain_v1_PromoteDraftResponse>;
  
  /**
   * The best passages for a query, with what they cite. Calls no model.
   */
  Recall: grpc.handleUnaryCall<_mainspring_memory_brain_v1_RecallRequest__Output, _mainspring_memory_brain_v1_RecallResponse>;
  
  /**
   * Keeps a text as Evidence, as one conversation of the collection `formation`.
   */
  Remember: grpc.handleUnaryCall<_mainspring_memory_brain_v1_RememberRequest__Output, _mainspring_memory_brain_v1_RememberResponse>;
  
  RevokeSpaceToken: grpc.handleUnaryCall<_mainspring_memory_brain_v1_RevokeSpaceTokenRequest__Output, _mainspring_memory_brain_v1_RevokeSpaceTokenResponse>;
  
  UpdateSpace: grpc.handleUnaryCall<_mainspring_memory_brain_v1_UpdateSpaceRequest__Output, _mainspring_memory_brain_v1_UpdateSpaceResponse>;
  
  /**
   * Needs `admin`.
   */
  UpdateSpaceTier: grpc.handleUnaryCall<_mainspring_memory_brain_v1_UpdateSpaceTierRequest__Output, _mainspring_memory_brain_v1_UpdateSpaceTierResponse>;
  
  /**
   * Compares the local database with its snapshot and records. Needs `admin`.
   */
  VerifySpace: grpc.handleUnaryCall<_mainspring_memory_brain_v1_VerifySpaceRequest__Output, _mainspring_memory_brain_v1_VerifySpaceResponse>;
  
}

export interface MemoryBrainServiceDefinition extends grpc.ServiceDefinition {
  AddSpaceToken: MethodDefinition<_mainspring_memory_brain_v1_AddSpaceTokenRequest, _mainspring_memory_brain_v1_AddSpaceTokenResponse, _mainspring_memory_brain_v1_AddSpaceTokenRequest__Output, _mainspring_memory_brain_v1_AddSpaceTokenResponse__Output>
  CreateSpace: MethodDefinition<_mainspring_memory_brain_v1_CreateSpaceRequest, _mainspring_memory_brain_v1_CreateSpaceResponse, _mainspring_memory_brain_v1_CreateSpaceRequest__Output, _mainspring_memory_brain_v1_CreateSpaceResponse__Output>
  DeleteSpace: MethodDefinition<_mainspring_memory_brain_v1_DeleteSpaceRequest, _mainspring_memory_brain_v1_DeleteSpaceResponse, _mainspring_memory_brain_v1_DeleteSpaceRequest__Output, _mainspring_memory_brain_v1_DeleteSpaceResponse__Output>
  DumpSpace: MethodDefinition<_mainspring_memory_brain_v1_DumpSpaceRequest, _mainspring_memory_brain_v1_DumpSpaceResponse, _mainspring_memory_brain_v1_DumpSpaceRequest__Output, _mainspring_memory_brain_v1_DumpSpaceResponse__Output>
  ExecuteKip: MethodDefinition<_mainspring_memory_brain_v1_ExecuteKipRequest, _mainspring_memory_brain_v1_ExecuteKipResponse, _mainspring_memory_brain_v1_ExecuteKipRequest__Output, _mainspring_memory_brain_v1_ExecuteKipResponse__Output>
  ForgetMemory: MethodDefinition<_mainspring_memory_brain_v1_ForgetMemoryRequest, _mainspring_memory_brain_v1_ForgetMemoryResponse, _mainspring_memory_brain_v1_ForgetMemoryRequest__Output, _mainspring_memory_brain_v1_ForgetMemoryResponse__Output>
  GetConversation: MethodDefinition<_mainspring_memory_brain_v1_GetConversationRequest, _mainspring_memory_brain_v1_GetConversationResponse, _mainspring_memory_brain_v1_GetConversationRequest__Output, _mainspring_memory_brain_v1_GetConversationResponse__Output>
  GetConversationDelta: MethodDefinition<_mainspring_memory_brain_v1_GetConversationDeltaRequest, _mainspring_memory_brain_v1_GetConversationDeltaResponse, _mainspring_memory_brain_v1_GetConversationDeltaRequest__Output, _mainspring_memory_brain_v1_GetConversationDeltaResponse__Output>
  GetFormationStatus: MethodDefinition<_mainspring_memory_brain_v1_GetFormationStatusRequest, _mainspring_memory_brain_v1_GetFormationStatusResponse, _mainspring_memory_brain_v1_GetFormationStatusRequest__Output, _mainspring_memory_brain_v1_GetFormationStatusResponse__Output>
  GetOrInitUser: MethodDefinition<_mainspring_memory_brain_v1_GetOrInitUserRequest, _mainspring_memory_brain_v1_GetOrInitUserResponse, _mainspring_memory_brain_v1_GetOrInitUserRequest__Output, _mainspring_memory_brain_v1_GetOrInitUserResponse__Output>
  GetSpace: MethodDefinition<_mainspring_memory_brain_v1_GetSpaceRequest, _mainspring_memory_brain_v1_GetSpaceResponse, _mainspring_memory_brain_v1_GetSpaceRequest__Output, _mainspring_memory_brain_v1_GetSpaceResponse__Output>
  ListAttention: MethodDefinition<_mainspring_memory_brain_v1_ListAttentionRequest, _mainspring_memory_brain_v1_ListAttentionResponse, _mainspring_memory_brain_v1_ListAttentionRequest__Output, _mainspring_memory_brain_v1_ListAttentionResponse__Output>
  ListConversations: MethodDefinition<_mainspring_memory_brain_v1_ListConversationsRequest, _mainspring_memory_brain_v1_ListConversationsResponse, _mainspring_memory_brain_v1_ListConversationsRequest__Output, _mainspring_memory_brain_v1_ListConversationsResponse__Output>
  ListDrafts: MethodDefinition<_mainspring_memory_brain_v1_ListDraftsRequest, _mainspring_memory_brain_v1_ListDraftsResponse, _mainspring_memory_brain_v1_ListDraftsRequest__Output, _mainspring_memory_brain_v1_ListDraftsResponse__Output>
  ListSpaceTokens: MethodDefinition<_mainspring_memory_brain_v1_ListSpaceTokensRequest, _mainspring_memory_brain_v1_ListSpaceTokensResponse, _mainspring_memory_brain_v1_ListSpaceTokensRequest__Output, _mainspring_memory_brain_v1_ListSpaceTokensResponse__Output>
  ListSpaces: MethodDefinition<_mainspring_memory_brain_v1_ListSpacesRequest, _mainspring_memory_brain_v1_ListSpacesResponse, _mainspring_memory_brain_v1_ListSpacesRequest__Output, _mainspring_memory_brain_v1_ListSpacesResponse__Output>
  LoadSpace: MethodDefinition<_mainspring_memory_brain_v1_LoadSpaceRequest, _mainspring_memory_brain_v1_LoadSpaceResponse, _mainspring_memory_brain_v1_LoadSpaceRequest__Output, _mainspring_memory_brain_v1_LoadSpaceResponse__Output>
  MoveSpace: MethodDefinition<_mainspring_memory_brain_v1_MoveSpaceRequest, _mainspring_memory_brain_v1_MoveSpaceResponse, _mainspring_memory_brain_v1_MoveSpaceRequest__Output, _mainspring_memory_brain_v1_MoveSpaceResponse__Output>
  PinMemory: MethodDefinition<_mainspring_memory_brain_v1_PinMemoryRequest, _mainspring_memory_brain_v1_PinMemoryResponse, _mainspring_memory_brain_v1_PinMemoryRequest__Output, _mainspring_memory_brain_v1_PinMemoryResponse__Output>
  Probe: MethodDefinition<_mainspring_memory_brain_v1_ProbeRequest, _mainspring_memory_brain_v1_ProbeResponse, _mainspring_memory_brain_v1_ProbeRequest__Output, _mainspring_memory_brain_v1_ProbeResponse__Output>
  PromoteDraft: MethodDefinition<_mainspring_memory_brain_v1_PromoteDraftRequest, _mainspring_memory_brain_v1_PromoteDraftResponse, _mainspring_memory_brain_v1_PromoteDraftRequest__Output, _mainspring_memory_brain_v1_PromoteDraftResponse__Output>
  Recall: MethodDefinition<_mainspring_memory_brain_v1_RecallRequest, _mainspring_memory_brain_v1_RecallResponse, _mainspring_memory_brain_v1_RecallRequest__Output, _mainspring_memory_brain_v1_RecallResponse__Output>
  Remember: MethodDefinition<_mainspring_memory_brain_v1_RememberRequest, _mainspring_memory_brain_v1_RememberResponse, _mainspring_memory_brain_v1_RememberRequest__Output, _mainspring_memory_brain_v1_RememberResponse__Output>
  RevokeSpaceToken: MethodDefinition<_mainspring_memory_brain_v1_RevokeSpaceTokenRequest, _mainspring_memory_brain_v1_RevokeSpaceTokenResponse, _mainspring_memory_brain_v1_RevokeSpaceTokenRequest__Output, _mainspring_memory_brain_v1_RevokeSpaceTokenResponse__Output>
  UpdateSpace: MethodDefinition<_mainspring_memory_brain_v1_UpdateSpaceRequest, _mainspring_memory_brain_v1_UpdateSpaceResponse, _mainspring_memory_brain_v1_UpdateSpaceRequest__Output, _mainspring_memory_brain_v1_UpdateSpaceResponse__Output>
  UpdateSpaceTier: MethodDefinition<_mainspring_memory_brain_v1_UpdateSpaceTierRequest, _mainspring_memory_brain_v1_UpdateSpaceTierResponse, _mainspring_memory_brain_v1_UpdateSpaceTierRequest__Output, _mainspring_memory_brain_v1_UpdateSpaceTierResponse__Output>
  VerifySpace: MethodDefinition<_mainspring_memory_brain_v1_VerifySpaceRequest, _mainspring_memory_brain_v1_VerifySpaceResponse, _mainspring_memory_brain_v1_VerifySpaceRequest__Output, _mainspring_memory_brain_v1_VerifySpaceResponse__Output>
}
