// Original file: protos/mainspring/model_router/v1/model_router.proto


export interface ListModelsRequest {
}

export interface ListModelsRequest__Output {
}
