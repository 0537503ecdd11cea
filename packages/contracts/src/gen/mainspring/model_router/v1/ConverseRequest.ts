// Original file: protos/mainspring/model_router/v1/model_router.proto

import type { Open as _mainspring_model_router_v1_Open, Open__Output as _mainspring_model_router_v1_Open__Output } from '../../../mainspring/model_router/v1/Open.ts';
import type { Append as _mainspring_model_router_v1_Append, Append__Output as _mainspring_model_router_v1_Append__Output } from '../../../mainspring/model_router/v1/Append.ts';
import type { Generate as _mainspring_model_router_v1_Generate, Generate__Output as _mainspring_model_router_v1_Generate__Output } from '../../../mainspring/model_router/v1/Generate.ts';
import type { Stop as _mainspring_model_router_v1_Stop, Stop__Output as _mainspring_model_router_v1_Stop__Output } from '../../../mainspring/model_router/v1/Stop.ts';

export interface ConverseRequest {
  'open'?: (_mainspring_model_router_v1_Open | null);
  'append'?: (_mainspring_model_router_v1_Append | null);
  'generate'?: (_mainspring_model_router_v1_Generate | null);
  /**
   * Stops the Generate under way; it ends as failed with code `aborted`.
   */
  'stop'?: (_mainspring_model_router_v1_Stop | null);
  'message'?: "open"|"append"|"generate"|"stop";
}

export interface ConverseRequest__Output {
  'open'?: (_mainspring_model_router_v1_Open__Output | null);
  'append'?: (_mainspring_model_router_v1_Append__Output | null);
  'generate'?: (_mainspring_model_router_v1_Generate__Output | null);
  /**
   * Stops the Generate under way; it ends as failed with code `aborted`.
   */
  'stop'?: (_mainspring_model_router_v1_Stop__Output | null);
  'message'?: "open"|"append"|"generate"|"stop";
}
