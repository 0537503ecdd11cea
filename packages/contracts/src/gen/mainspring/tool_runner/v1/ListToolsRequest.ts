// Original file: protos/mainspring/tool_runner/v1/tool_runner.proto


export interface ListToolsRequest {
}

export interface ListToolsRequest__Output {
}
