// Messages of mainspring/common/v1/common.proto

export type { ErrorDetail, ErrorDetail__Output } from './mainspring/common/v1/ErrorDetail.ts';
export type { Usage, Usage__Output } from './mainspring/common/v1/Usage.ts';
