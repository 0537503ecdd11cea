/**
 * Finds the servers behind a list of names: `peers:engine-1:7001,engine-2:7001`. Every address of every name is a
 * server of its own, so one name may stand for several replicas; a name that cannot be resolved is passed over.
 */
import { lookup } from "node:dns/promises";

import { experimental, Metadata, status } from "@grpc/grpc-js";

/** Replicas that come or go behind a name are noticed after this long. */
export const REFRESH_MS = 10_000;
/** Shortest time between two looks, however often connections fail. */
const LOOK_INTERVAL_MS = 500;

export const PEERS_SCHEME = "peers";

type Endpoint = experimental.Endpoint;

async function endpointsOf(peer: string): Promise<Endpoint[]> {
  const { host, port } = experimental.splitHostPort(peer) ?? { host: peer };
  if (port === undefined) return [];
  try {
    const addresses = await lookup(host, { all: true });
    return addresses.map(({ address }) => ({ addresses: [{ host: address, port }] }));
  } catch {
    return [];
  }
}

class PeerResolver implements experimental.Resolver {
  readonly #peers: readonly string[];
  readonly #listener: experimental.ResolverListener;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #lookedAt = -LOOK_INTERVAL_MS;
  #destroyed = false;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener) {
    this.#peers = target.path.split(",");
    this.#listener = listener;
  }

  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path.split(",")[0] ?? target.path;
  }

  updateResolution(): void {
    if (this.#looking) return;
    this.#schedule(Math.max(0, this.#lookedAt + LOOK_INTERVAL_MS - performance.now()));
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), delayMs);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    const found = (await Promise.all(this.#peers.map(endpointsOf))).flat();
    this.#looking = false;
    if (this.#destroyed) return;
    this.#lookedAt = performance.now();
    this.#schedule(REFRESH_MS);
    // A look that nobody waits for keeps no process alive.
    this.#timer?.unref();
    const details = `none of ${this.#peers.join(", ")} has an address`;
    const result: experimental.StatusOr<Endpoint[]> =
      found.length > 0
        ? experimental.statusOrFromValue(found)
        : experimental.statusOrFromError({ code: status.UNAVAILABLE, details, metadata: new Metadata() });
    this.#listener(result, {}, null, "");
  }
}

experimental.registerResolver(PEERS_SCHEME, PeerResolver);
