/** Who calls: API keys, looked up by their hash. */
import { createHash, timingSafeEqual } from "node:crypto";

import type { Clock, Random } from "@mainspring/kernel";
import { MainspringError, newId } from "@mainspring/kernel";

import { spaceCredential } from "../domain/credential-kind.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";

/** Tenant of the admin key and of a server without authentication. */
export const DEFAULT_TENANT = "default";
/** Right to manage keys. */
export const ADMIN_SCOPE = "admin";
const KEY_PREFIX = "msk_";
const KEY_BYTES = 24;
/** Known keys are looked up again after this long, so a revoked key works at most this much longer. */
const CACHE_MS = 5_000;
const CACHE_ENTRIES_MAX = 10_000;
const TENANT = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export interface Identity {
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** An admin of the default tenant: runs the deployment, so every tenant's keys are its. An admin of another has its own. */
export function isOperator({ tenant, scopes }: Identity): boolean {
  return tenant === DEFAULT_TENANT && scopes.includes(ADMIN_SCOPE);
}

export interface IdentityPorts {
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly random: Random;
}

export interface IdentitySettings {
  readonly adminKey: string;
  /** False: everybody is the default tenant's admin. Loopback only. */
  readonly required: boolean;
}

const OPEN: Identity = { tenant: DEFAULT_TENANT, subject: "anonymous", scopes: [ADMIN_SCOPE] };
const ADMIN: Identity = { tenant: DEFAULT_TENANT, subject: "admin", scopes: [ADMIN_SCOPE] };

export class Identities {
  readonly #ports: IdentityPorts;
  readonly #settings: IdentitySettings;
  readonly #adminHash: Buffer;
  readonly #cache = new Map<string, { readonly key: ApiKey; readonly untilMs: number }>();

  constructor(ports: IdentityPorts, settings: IdentitySettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#adminHash = sha256(settings.adminKey);
  }

  /** Throws `unauthenticated` for a missing, unknown or revoked key. */
  async identify(secret: string): Promise<Identity> {
    if (!this.#settings.required && secret === "") return OPEN;
    if (secret === "") {
      throw new MainspringError("unauthenticated", "send an API key as `Authorization: Bearer <key>`", {
        reason: "missing_api_key",
      });
    }
    return (await this.find(secret)) ?? this.#strangerWith(secret);
  }

  /** Whose key it is; null for none that is known and valid. */
  async find(secret: string): Promise<Identity | null> {
    const hash = sha256(secret);
    if (timingSafeEqual(hash, this.#adminHash)) return ADMIN;
    if (!secret.startsWith(KEY_PREFIX)) return null;
    const key = await this.#find(hash.toString("hex"));
    if (key === null || key.revokedAt > 0) return null;
    return { tenant: key.tenant, subject: key.id, scopes: key.scopes };
  }

  /** Who comes with a key that nobody knows. Throws `unauthenticated`, unless everybody is let in. */
  stranger(): Identity {
    if (!this.#settings.required) return OPEN;
    throw new MainspringError("unauthenticated", "this API key is not known", { reason: "invalid_api_key" });
  }

  /** What opens a Space is said to do only that. */
  #strangerWith(secret: string): Identity {
    const kind = spaceCredential(secret);
    if (kind === null || !this.#settings.required) return this.stranger();
    const message = `this is ${kind}, which is for a Space and what is below it; this takes an API key`;
    throw new MainspringError("unauthenticated", message, { reason: "invalid_api_key" });
  }

  /** Whether a caller without any credential is the admin. */
  get isOpen(): boolean {
    return !this.#settings.required;
  }

  /** A new key; its secret is returned once and kept nowhere. */
  async create(tenant: string, name: string, scopes: readonly string[]): Promise<{ key: ApiKey; secret: string }> {
    if (!TENANT.test(tenant)) {
      throw new MainspringError("invalid_argument", "tenant must be 1 to 64 of a-z, 0-9, _ and -", { param: "tenant" });
    }
    const { clock, random, keys } = this.#ports;
    const secret = KEY_PREFIX + Buffer.from(random.bytes(KEY_BYTES)).toString("hex");
    const now = clock.now();
    const hash = sha256(secret).toString("hex");
    const key: ApiKey = { id: newId("key", now, random), hash, tenant, name, scopes, createdAt: now, revokedAt: 0 };
    await keys.insert(key);
    return { key, secret };
  }

  /** `tenant`: only if it is that one's; null for whosever. Throws `not_found`. */
  async revoke(id: string, tenant: string | null): Promise<void> {
    if (!(await this.#ports.keys.revoke(id, this.#ports.clock.now(), tenant))) {
      throw new MainspringError("not_found", `no valid key ${id}`);
    }
    for (const [hash, { key }] of this.#cache) if (key.id === id) this.#cache.delete(hash);
  }

  /** `tenant`: that one's; null for all. */
  list(limit: number, tenant: string | null): Promise<ApiKey[]> {
    return this.#ports.keys.list(limit, tenant);
  }

  async #find(hash: string): Promise<ApiKey | null> {
    const now = this.#ports.clock.monotonicMs();
    const cached = this.#cache.get(hash);
    if (cached !== undefined && cached.untilMs > now) return cached.key;
    const key = await this.#ports.keys.findByHash(hash);
    if (key === null) return null;
    if (this.#cache.size >= CACHE_ENTRIES_MAX) this.#cache.clear();
    this.#cache.set(hash, { key, untilMs: now + CACHE_MS });
    return key;
  }
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
