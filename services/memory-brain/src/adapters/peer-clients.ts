/** Connections to the other memory workers, by address. */
import { connectGrpc, memoryBrainContract } from "@mainspring/contracts";
import type { Connected } from "@mainspring/contracts";

/** Most workers that are talked to at a time. */
const PEERS_MAX = 256;

type PeerClient = Connected<typeof memoryBrainContract>;

export class PeerClients {
  readonly #clients = new Map<string, PeerClient>();

  at(address: string): PeerClient {
    const known = this.#clients.get(address);
    if (known !== undefined) return known;
    if (this.#clients.size >= PEERS_MAX) this.close();
    const client = connectGrpc(memoryBrainContract, address);
    this.#clients.set(address, client);
    return client;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }
}
