/**
 * The one description of how protos become JavaScript. The generator of types and the loader at run time both take
 * it from here: a mismatch between the two would give, for example, `Long` objects where the types say `number`.
 */
import { fileURLToPath } from "node:url";

export const PROTO_DIR = fileURLToPath(new URL("../../../protos", import.meta.url));

/** Every file of the contract, relative to PROTO_DIR. */
export const PROTO_FILES = [
  "mainspring/common/v1/common.proto",
  "mainspring/engine/v1/engine.proto",
  "mainspring/eval_runner/v1/eval_runner.proto",
  "mainspring/memory_brain/v1/memory_brain.proto",
  "mainspring/model_router/v1/model_router.proto",
  "mainspring/tool_runner/v1/tool_runner.proto",
] as const;

/**
 * `snake_case` field names as in the proto; 64-bit integers as numbers (all of ours stay below 2^53); enums by name;
 * absent fields get their default, absent messages are null, absent lists are empty; a oneof names its member.
 */
export const LOADER_OPTIONS = {
  keepCase: true,
  longs: "Number",
  enums: "String",
  defaults: true,
  oneofs: true,
} as const;
