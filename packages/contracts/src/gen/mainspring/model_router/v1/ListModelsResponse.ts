// Original file: protos/mainspring/model_router/v1/model_router.proto

import type { ModelInfo as _mainspring_model_router_v1_ModelInfo, ModelInfo__Output as _mainspring_model_router_v1_ModelInfo__Output } from '../../../mainspring/model_router/v1/ModelInfo.ts';

export interface ListModelsResponse {
  'models'?: (_mainspring_model_router_v1_ModelInfo)[];
}

export interface ListModelsResponse__Output {
  'models': (_mainspring_model_router_v1_ModelInfo__Output)[];
}
