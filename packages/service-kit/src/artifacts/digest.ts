import { createHash, webcrypto } from "node:crypto";

import { MainspringError } from "@mainspring/kernel";

import { ARTIFACT_BYTES_MAX } from "./artifact-store.ts";

/** Above this the hash is computed on another thread. */
const INLINE_BYTES_MAX = 256 * 1024;
const DIGEST_SHAPE = /^[0-9a-f]{64}$/;

export async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= INLINE_BYTES_MAX) return createHash("sha256").update(bytes).digest("hex");
  const digest = await webcrypto.subtle.digest("SHA-256", bytes);
  return Buffer.from(digest).toString("hex");
}

export function isDigest(text: string): boolean {
  return DIGEST_SHAPE.test(text);
}

/** A name for the tenant that is safe in a path and in a key, and tells nobody else's apart. */
export function tenantKey(tenant: string): string {
  return createHash("sha256").update(tenant).digest("hex").slice(0, 32);
}

export function checkArtifactSize(bytes: Uint8Array): void {
  if (bytes.length <= ARTIFACT_BYTES_MAX) return;
  throw new MainspringError("invalid_argument", `an artifact has ${bytes.length} bytes, limit ${ARTIFACT_BYTES_MAX}`);
}

/** The bytes, if they are what the digest says. */
export async function verified(bytes: Uint8Array, digest: string): Promise<Uint8Array> {
  if ((await sha256(bytes)) === digest) return bytes;
  throw new MainspringError("data_loss", "the stored artifact does not match its digest");
}
