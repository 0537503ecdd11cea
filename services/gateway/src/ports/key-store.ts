/** API keys. Only their hashes are kept. */
export interface ApiKey {
  /** Public name of the key, `key_…`. */
  readonly id: string;
  /** SHA-256 of the key, lower-case hex. */
  readonly hash: string;
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms, 0 while it is valid. */
  readonly revokedAt: number;
}

export interface KeyStore {
  insert(key: ApiKey): Promise<void>;
  findByHash(hash: string): Promise<ApiKey | null>;
  /** Newest first, at most `limit`; of one tenant, or of all with null. */
  list(limit: number, tenant: string | null): Promise<ApiKey[]>;
  /** False when there is no valid key of that id, or it is not the tenant's (null: any). */
  revoke(id: string, at: number, tenant: string | null): Promise<boolean>;
  ping(): Promise<void>;
}
