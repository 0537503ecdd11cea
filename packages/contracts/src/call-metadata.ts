/** How the caller, the trace and the mark of a forwarded call travel as gRPC metadata. */
import { Metadata } from "@grpc/grpc-js";
import { MainspringError } from "@mainspring/kernel";

import { ANONYMOUS } from "./contract.ts";
import type { CallOptions, Principal } from "./contract.ts";

const PRINCIPAL_KEY = "mainspring-principal-bin";
const TRACE_KEY = "traceparent";
const ACT_AS_KEY = "x-mainspring-act-as";
const FORWARDED_KEY = "mainspring-forwarded";

/** `credential`: what is shown at a public door; empty for none. */
export function toMetadata(options: CallOptions, credential = ""): Metadata {
  const metadata = new Metadata();
  if (credential !== "") metadata.set("authorization", `Bearer ${credential}`);
  const { principal, traceparent, forwarded } = options;
  if (principal !== undefined) {
    const { tenant, subject, scopes } = principal;
    metadata.set(PRINCIPAL_KEY, Buffer.from(JSON.stringify([tenant, subject, scopes])));
  }
  if (traceparent !== undefined && traceparent !== "") metadata.set(TRACE_KEY, traceparent);
  if (forwarded === true) metadata.set(FORWARDED_KEY, "1");
  return metadata;
}

export function traceparentOf(metadata: Metadata): string {
  return String(metadata.get(TRACE_KEY)[0] ?? "");
}

export function isForwarded(metadata: Metadata): boolean {
  return metadata.get(FORWARDED_KEY).length > 0;
}

/** Throws `invalid_argument` when the header is there and makes no sense: never fall back to somebody else. */
export function principalOf(metadata: Metadata): Principal {
  const header = metadata.get(PRINCIPAL_KEY)[0];
  if (header === undefined) return ANONYMOUS;
  const parsed = parse(String(header));
  if (Array.isArray(parsed) && parsed.length === 3) {
    const [tenant, subject, scopes] = parsed as unknown[];
    const scopesFit = Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string");
    if (typeof tenant === "string" && typeof subject === "string" && scopesFit) return { tenant, subject, scopes };
  }
  throw new MainspringError("invalid_argument", `the metadata ${PRINCIPAL_KEY} cannot be read`);
}

/** `authorization: Bearer …` or `x-api-key`, empty without either. */
export function credentialOf(metadata: Metadata): string {
  // Whoever relies on it must not be served in another tenant's name.
  if (metadata.get(ACT_AS_KEY).length > 0) {
    throw new MainspringError("invalid_argument", `${ACT_AS_KEY} is not read over gRPC: use a key of that tenant`);
  }
  const bearer = /^Bearer (.+)$/i.exec(String(metadata.get("authorization")[0] ?? ""));
  return (bearer?.[1] ?? String(metadata.get("x-api-key")[0] ?? "")).trim();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
