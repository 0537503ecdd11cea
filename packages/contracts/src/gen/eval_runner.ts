// Messages of mainspring/eval_runner/v1/eval_runner.proto

export type { Attempt, Attempt__Output } from './mainspring/eval_runner/v1/Attempt.ts';
export type { CancelExperimentRequest, CancelExperimentRequest__Output } from './mainspring/eval_runner/v1/CancelExperimentRequest.ts';
export type { CancelExperimentResponse, CancelExperimentResponse__Output } from './mainspring/eval_runner/v1/CancelExperimentResponse.ts';
export type { CreateExperimentRequest, CreateExperimentRequest__Output } from './mainspring/eval_runner/v1/CreateExperimentRequest.ts';
export type { CreateExperimentResponse, CreateExperimentResponse__Output } from './mainspring/eval_runner/v1/CreateExperimentResponse.ts';
export type { Experiment, Experiment__Output } from './mainspring/eval_runner/v1/Experiment.ts';
export type { GetExperimentRequest, GetExperimentRequest__Output } from './mainspring/eval_runner/v1/GetExperimentRequest.ts';
export type { GetExperimentResponse, GetExperimentResponse__Output } from './mainspring/eval_runner/v1/GetExperimentResponse.ts';
export type { GetReportRequest, GetReportRequest__Output } from './mainspring/eval_runner/v1/GetReportRequest.ts';
export type { GetReportResponse, GetReportResponse__Output } from './mainspring/eval_runner/v1/GetReportResponse.ts';
export type { ListAttemptsRequest, ListAttemptsRequest__Output } from './mainspring/eval_runner/v1/ListAttemptsRequest.ts';
export type { ListAttemptsResponse, ListAttemptsResponse__Output } from './mainspring/eval_runner/v1/ListAttemptsResponse.ts';
export type { ListExperimentsRequest, ListExperimentsRequest__Output } from './mainspring/eval_runner/v1/ListExperimentsRequest.ts';
export type { ListExperimentsResponse, ListExperimentsResponse__Output } from './mainspring/eval_runner/v1/ListExperimentsResponse.ts';
export type { Progress, Progress__Output } from './mainspring/eval_runner/v1/Progress.ts';
export type { WatchExperimentRequest, WatchExperimentRequest__Output } from './mainspring/eval_runner/v1/WatchExperimentRequest.ts';
export type { WatchExperimentResponse, WatchExperimentResponse__Output } from './mainspring/eval_runner/v1/WatchExperimentResponse.ts';
