// Original file: protos/mainspring/model_router/v1/model_router.proto

import type { Delta as _mainspring_model_router_v1_Delta, Delta__Output as _mainspring_model_router_v1_Delta__Output } from '../../../mainspring/model_router/v1/Delta.ts';
import type { Completed as _mainspring_model_router_v1_Completed, Completed__Output as _mainspring_model_router_v1_Completed__Output } from '../../../mainspring/model_router/v1/Completed.ts';
import type { Failed as _mainspring_model_router_v1_Failed, Failed__Output as _mainspring_model_router_v1_Failed__Output } from '../../../mainspring/model_router/v1/Failed.ts';

export interface ConverseResponse {
  'attempt'?: (number);
  'delta'?: (_mainspring_model_router_v1_Delta | null);
  'completed'?: (_mainspring_model_router_v1_Completed | null);
  'failed'?: (_mainspring_model_router_v1_Failed | null);
  'message'?: "delta"|"completed"|"failed";
}

export interface ConverseResponse__Output {
  'attempt': (number);
  'delta'?: (_mainspring_model_router_v1_Delta__Output | null);
  'completed'?: (_mainspring_model_router_v1_Completed__Output | null);
  'failed'?: (_mainspring_model_router_v1_Failed__Output | null);
  'message'?: "delta"|"completed"|"failed";
}
