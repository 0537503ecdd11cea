// Original file: protos/mainspring/engine/v1/engine.proto


export interface DeleteAgentResponse {
}

export interface DeleteAgentResponse__Output {
}
