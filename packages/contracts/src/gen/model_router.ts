// Messages of mainspring/model_router/v1/model_router.proto

export type { Append, Append__Output } from './mainspring/model_router/v1/Append.ts';
export type { Completed, Completed__Output } from './mainspring/model_router/v1/Completed.ts';
export type { ConverseRequest, ConverseRequest__Output } from './mainspring/model_router/v1/ConverseRequest.ts';
export type { ConverseResponse, ConverseResponse__Output } from './mainspring/model_router/v1/ConverseResponse.ts';
export type { Delta, Delta__Output } from './mainspring/model_router/v1/Delta.ts';
export type { Failed, Failed__Output } from './mainspring/model_router/v1/Failed.ts';
export type { Generate, Generate__Output } from './mainspring/model_router/v1/Generate.ts';
export type { ListModelsRequest, ListModelsRequest__Output } from './mainspring/model_router/v1/ListModelsRequest.ts';
export type { ListModelsResponse, ListModelsResponse__Output } from './mainspring/model_router/v1/ListModelsResponse.ts';
export type { ModelInfo, ModelInfo__Output } from './mainspring/model_router/v1/ModelInfo.ts';
export type { Open, Open__Output } from './mainspring/model_router/v1/Open.ts';
export type { Stop, Stop__Output } from './mainspring/model_router/v1/Stop.ts';
