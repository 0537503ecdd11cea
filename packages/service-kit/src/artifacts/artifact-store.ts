/** Content-addressed bytes: large outputs, files, tool definitions. */

/** Largest artifact, 64 MiB. */
export const ARTIFACT_BYTES_MAX = 64 * 1024 * 1024;

export interface ArtifactStore {
  /** Stores the bytes durably and returns their SHA-256 in lower-case hex. Storing the same again costs a look-up. */
  put(tenant: string, bytes: Uint8Array): Promise<string>;
  /** Null when that tenant has no such artifact. Rejects with `data_loss` when the bytes do not match the digest. */
  get(tenant: string, digest: string): Promise<Uint8Array | null>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
