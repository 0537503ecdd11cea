// Original file: protos/mainspring/model_router/v1/model_router.proto


export interface Stop {
}

export interface Stop__Output {
}
