/** Large texts in the artifact store, with a small cache of those read or written last. */
import type { ArtifactStore } from "@mainspring/service-kit";

import type { ContentStore } from "../ports/content-store.ts";

/** Characters kept in memory. */
const CACHE_CHARS_MAX = 8 * 1024 * 1024;

export class ArtifactContent implements ContentStore {
  readonly #artifacts: ArtifactStore;
  readonly #cache = new Map<string, string>();
  #cachedChars = 0;

  constructor(artifacts: ArtifactStore) {
    this.#artifacts = artifacts;
  }

  async put(tenant: string, text: string): Promise<string> {
    const digest = await this.#artifacts.put(tenant, new TextEncoder().encode(text));
    this.#remember(`${tenant}/${digest}`, text);
    return digest;
  }

  async get(tenant: string, digest: string): Promise<string | null> {
    const key = `${tenant}/${digest}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const bytes = await this.#artifacts.get(tenant, digest);
    if (bytes === null) return null;
    const text = new TextDecoder().decode(bytes);
    this.#remember(key, text);
    return text;
  }

  #remember(key: string, text: string): void {
    if (text.length > CACHE_CHARS_MAX / 4 || this.#cache.has(key)) return;
    this.#cache.set(key, text);
    this.#cachedChars += text.length;
    for (const [oldest, old] of this.#cache) {
      if (this.#cachedChars <= CACHE_CHARS_MAX) break;
      this.#cache.delete(oldest);
      this.#cachedChars -= old.length;
    }
  }
}
