/** Artifacts in memory, for a process that keeps nothing. */
import { MainspringError } from "@mainspring/kernel";

import type { ArtifactStore } from "./artifact-store.ts";
import { checkArtifactSize, sha256 } from "./digest.ts";

/** All artifacts together. */
export const MEMORY_ARTIFACTS_BYTES_MAX = 1024 * 1024 * 1024;

export class MemoryArtifacts implements ArtifactStore {
  readonly #artifacts = new Map<string, Uint8Array>();
  #bytes = 0;

  async put(tenant: string, bytes: Uint8Array): Promise<string> {
    checkArtifactSize(bytes);
    const digest = await sha256(bytes);
    const key = `${digest}/${tenant}`;
    if (this.#artifacts.has(key)) return digest;
    if (this.#bytes + bytes.length > MEMORY_ARTIFACTS_BYTES_MAX) {
      throw new MainspringError(
        "resource_exhausted",
        `artifacts in memory reached ${MEMORY_ARTIFACTS_BYTES_MAX} bytes`,
      );
    }
    this.#artifacts.set(key, Uint8Array.from(bytes));
    this.#bytes += bytes.length;
    return digest;
  }

  async get(tenant: string, digest: string): Promise<Uint8Array | null> {
    const bytes = this.#artifacts.get(`${digest}/${tenant}`);
    return bytes === undefined ? null : Uint8Array.from(bytes);
  }

  async ping(): Promise<void> {
    // It is there as long as the process is.
  }

  async close(): Promise<void> {
    this.#artifacts.clear();
    this.#bytes = 0;
  }
}
