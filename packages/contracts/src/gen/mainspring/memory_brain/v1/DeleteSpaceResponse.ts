// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface DeleteSpaceResponse {
}

export interface DeleteSpaceResponse__Output {
}
