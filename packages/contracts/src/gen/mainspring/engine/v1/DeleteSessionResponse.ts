// Original file: protos/mainspring/engine/v1/engine.proto


export interface DeleteSessionResponse {
}

export interface DeleteSessionResponse__Output {
}
