/** A TCP proxy that breaks its connections off: now, or after so many bytes of answer, so many times. */
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

export class CuttingProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #cutsLeft = 0;
  #afterBytes = 0;
  cuts = 0;

  private constructor(port: number) {
    this.#server = createServer((near) => this.#join(near, connect(port, "127.0.0.1")));
  }

  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(Number(new URL(target).port));
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next connections are cut once each has answered this many bytes. */
  cut(times: number, afterBytes: number): void {
    [this.#cutsLeft, this.#afterBytes] = [times, afterBytes];
  }

  /** Those that are open. */
  cutNow(): void {
    this.cuts += 1;
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    let bytes = 0;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#open.delete(from);
        to.destroy();
      });
    }
    near.on("data", (data) => far.write(data));
    far.on("data", (data) => {
      const left = this.#afterBytes - bytes;
      bytes += data.length;
      if (this.#cutsLeft === 0 || data.length < left) return void near.write(data);
      this.#cutsLeft -= 1;
      this.cuts += 1;
      near.end(data.subarray(0, Math.max(0, left)));
      far.destroy();
    });
  }
}
