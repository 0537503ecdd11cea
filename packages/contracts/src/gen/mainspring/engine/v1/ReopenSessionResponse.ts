// Original file: protos/mainspring/engine/v1/engine.proto


export interface ReopenSessionResponse {
}

export interface ReopenSessionResponse__Output {
}
