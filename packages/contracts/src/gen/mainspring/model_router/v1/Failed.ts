// Original file: protos/mainspring/model_router/v1/model_router.proto

import type { ErrorDetail as _mainspring_common_v1_ErrorDetail, ErrorDetail__Output as _mainspring_common_v1_ErrorDetail__Output } from '../../../mainspring/common/v1/ErrorDetail.ts';

export interface Failed {
  'error'?: (_mainspring_common_v1_ErrorDetail | null);
  /**
   * HTTP status of the provider, 0 when there was none.
   */
  'provider_status'?: (number);
}

export interface Failed__Output {
  'error': (_mainspring_common_v1_ErrorDetail__Output | null);
  /**
   * HTTP status of the provider, 0 when there was none.
   */
  'provider_status': (number);
}
