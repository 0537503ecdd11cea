export { assert, codeOfGrpc, ERROR_CODES, MainspringError } from "./errors.ts";
export type { CodeRow, ErrorCode, MainspringErrorOptions, Retry } from "./errors.ts";
