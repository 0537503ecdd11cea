/** The loaded protos: loaded once, when the first contract is used. */
import type { ServiceDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { MessageTypeDefinition, PackageDefinition } from "@grpc/proto-loader";
import { assert } from "@mainspring/kernel";

import { LOADER_OPTIONS, PROTO_DIR, PROTO_FILES } from "./loader-options.ts";

let loaded: PackageDefinition | undefined;

export function packageDefinition(): PackageDefinition {
  loaded ??= loadSync([...PROTO_FILES], {
    ...LOADER_OPTIONS,
    longs: Number,
    enums: String,
    includeDirs: [PROTO_DIR],
  });
  return loaded;
}

export function serviceDefinition(name: string): ServiceDefinition {
  const found = packageDefinition()[name];
  assert(found !== undefined && !("format" in found), `${name} is a service of the contract`);
  return found;
}

export function messageDefinition<Input, Output>(name: string): MessageTypeDefinition<Input, Output> {
  const found = packageDefinition()[name];
  assert(found !== undefined && "format" in found, `${name} is a message of the contract`);
  return found as unknown as MessageTypeDefinition<Input, Output>;
}
