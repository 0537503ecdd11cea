// Original file: protos/mainspring/engine/v1/engine.proto


export interface ListAgentsRequest {
}

export interface ListAgentsRequest__Output {
}
