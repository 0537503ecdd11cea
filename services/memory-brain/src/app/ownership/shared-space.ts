/** A Space that this worker holds: its copy, its place in the log, and its snapshots. */
import { backoffMs, MainspringError, sleep } from "@mainspring/kernel";
import type { JsonObject, KipResponse } from "@mainspring/kip";
import { isPassing } from "@mainspring/service-kit";

import type { Hold, SpaceRow } from "../../ports/directory.ts";
import type { Snapshot } from "../../ports/space-log.ts";
import { LOG_PART_BYTES_MAX } from "../../ports/space-log.ts";
import type { RequestContext } from "../execute.ts";
import type { LocalSpace, LogPosition, SealedBatch } from "../local-space.ts";
import type { SharedSpacesPorts } from "./take-over.ts";
import type { CallInput, CallOutput, SpaceCall } from "../space/calls.ts";
import type { SpaceHandle } from "../space/space-handle.ts";

/** Records and bytes after which a snapshot is made; never before as many bytes as the last snapshot had. */
const SNAPSHOT_RECORDS = 2_000;
const SNAPSHOT_BYTES = 16 * 1024 * 1024;
/** Longest that a writer waits for the log. */
const RECORD_WAIT_MS = 6_000;
/** Between two tries to remove from the log what was erased. */
const ERASE_AGAIN_MS = 5_000;
const COMMIT_BYTES = 12;
const RETRY = { firstMs: 20, maxMs: 500 };

export interface HeldSpace {
  readonly row: SpaceRow;
  /** Name of its log. */
  readonly name: string;
  readonly hold: Hold;
  readonly local: LocalSpace;
  readonly at: LogPosition;
  readonly snapshot: Snapshot | null;
  /** Records since the snapshot say that something was erased, and a snapshot without it is still to be made. */
  readonly erased: boolean;
}

export class SharedSpace implements SpaceHandle {
  readonly #ports: SharedSpacesPorts;
  readonly #held: HeldSpace;
  readonly #local: LocalSpace;
  readonly #lost = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #stopped = new AbortController();
  #at: LogPosition;
  #snapshot: Snapshot | null;
  /** Bytes of the records since the snapshot. */
  #bytes = 0;
  /** Record with which something was erased last, while a snapshot without it is still to be made; else 0. */
  #erasedAt: number;
  #compacting: Promise<void> | null = null;
  /** Shard on which it is left when it is let go. */
  leaveTo: number | undefined;

  constructor(ports: SharedSpacesPorts, held: HeldSpace) {
    this.#ports = ports;
    this.#held = held;
    this.#local = held.local;
    this.#at = held.at;
    this.#snapshot = held.snapshot;
    this.#erasedAt = held.erased ? held.at.no : 0;
  }

  get claim(): string {
    return this.#held.hold.claim;
  }

  /** Resolves when it is not open here any more, whatever ended it. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    void this.#local.lost.then(() => this.lose());
    await this.#local.startRecording({
      waitMs: RECORD_WAIT_MS,
      record: (sealed) => this.#record(sealed),
      erase: () => this.#erase(),
    });
    if (this.#erasedAt > 0) this.#compactSoon();
  }

  /** One at a time, in order. It is tried until it is known what became of it. */
  async #record({ patch, erased }: SealedBatch): Promise<LogPosition | null> {
    const { log, random, clock } = this.#ports;
    const { name, hold } = this.#held;
    const next = { no: this.#at.no + 1, commit: Buffer.from(random.bytes(COMMIT_BYTES)).toString("hex") };
    for (let retry = 0; ; retry += 1) {
      try {
        const mine = await log.append(name, { ...next, epoch: hold.epoch, erased, patch });
        if (!mine) {
          this.lose();
          return null;
        }
        this.#at = next;
        this.#bytes += patch.length;
        if (erased) this.#erasedAt = next.no;
        if (!erased && this.#wantsSnapshot()) this.#compactSoon();
        return next;
      } catch (error) {
        if (!isPassing(error)) throw error;
        await sleep(clock, backoffMs(RETRY, retry, 0.5), this.#stopped.signal);
      }
    }
  }

  #wantsSnapshot(): boolean {
    const records = this.#at.no - (this.#snapshot?.no ?? 0);
    return records >= SNAPSHOT_RECORDS || this.#bytes >= Math.max(SNAPSHOT_BYTES, this.#snapshot?.bytes ?? 0);
  }

  /** What was erased is in earlier records until this succeeds, so then it is tried until it does. */
  #compactSoon(): void {
    this.#compact().catch((error: unknown) => {
      if (this.#stopped.signal.aborted) return;
      this.#ports.warn(error, "a snapshot could not be made", this.#held.row.id);
      if (this.#erasedAt === 0) return;
      sleep(this.#ports.clock, ERASE_AGAIN_MS, this.#stopped.signal).then(
        () => this.#compactSoon(),
        () => undefined,
      );
    });
  }

  /** Resolves when a snapshot without what was erased has replaced everything that had it. */
  async #erase(): Promise<void> {
    // One that is under way may have begun before.
    await this.#compacting?.catch(() => undefined);
    try {
      await this.#compact();
    } catch (error) {
      this.#compactSoon();
      throw error;
    }
  }

  #compact(): Promise<void> {
    this.#compacting ??= this.#makeSnapshot().finally(() => (this.#compacting = null));
    return this.#compacting;
  }

  async #makeSnapshot(): Promise<void> {
    const { log, random } = this.#ports;
    const { name, hold } = this.#held;
    const of = { id: `${hold.epoch}-${Buffer.from(random.bytes(COMMIT_BYTES)).toString("hex")}`, epoch: hold.epoch };
    const countedBytes = this.#bytes;
    let at: LogPosition | null = null;
    let parts = 0;
    let bytes = 0;
    for await (const frame of this.#local.dump(null)) {
      this.#stopped.signal.throwIfAborted();
      at ??= positionIn(frame);
      for (let from = 0; from < frame.length; from += LOG_PART_BYTES_MAX) {
        await log.writePart(name, of, parts, frame.subarray(from, from + LOG_PART_BYTES_MAX));
        parts += 1;
      }
      bytes += frame.length;
    }
    const snapshot: Snapshot = { ...at!, ...of, parts, bytes };
    const before = await log.snapshot(name);
    if (await log.publish(name, snapshot)) {
      this.#snapshot = snapshot;
      this.#bytes -= countedBytes;
      await log.truncate(name, snapshot, before);
    } else if (this.#snapshot?.no !== snapshot.no) {
      throw new MainspringError("unavailable", "another worker has the Space", { retry: "safe" });
    }
    if (this.#erasedAt <= snapshot.no) this.#erasedAt = 0;
  }

  /** It is another's now. Writes that wait are refused, and it is closed. */
  lose(): void {
    if (this.#stopped.signal.aborted) return;
    this.#stopped.abort(new Error("the Space was lost"));
    this.#lost.resolve();
    // A batch that waits learns from its verdict that it is not written; only then the threads end.
    setImmediate(() => void this.#local.kill().finally(() => this.#ended.resolve()));
  }

  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  staleAsOf(): number | null {
    return this.#ports.workers.staleAsOf();
  }

  async close(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    await this.#local.close().catch(() => this.#local.kill());
    this.#stopped.abort(new Error("the Space was closed"));
    await this.#compacting?.catch(() => undefined);
    this.#ended.resolve();
    const { id } = this.#held.row;
    // A hold that is not let go is taken back by this worker, or by another when this one is dead.
    await this.#ports.directory
      .release(id, this.#held.hold, this.leaveTo)
      .catch((error: unknown) => this.#ports.warn(error, "a hold could not be let go", id));
  }

  execute(request: unknown, context: RequestContext): Promise<KipResponse> {
    return this.#local.execute(request, context);
  }
  async call<K extends SpaceCall>(name: K, input: CallInput<K>, context: RequestContext): Promise<CallOutput<K>> {
    const output = await this.#local.call(name, input, context);
    // Repeated after a failure it finds nothing left to erase here, and still answers only when it is gone everywhere.
    if (name === "forget" && this.#erasedAt > 0) await this.#erase();
    return output;
  }
  promote(kind: "ConceptType" | "PredicateType", from: string, to: string, context: RequestContext): Promise<unknown> {
    return this.#local.promote(kind, from, to, context);
  }
  dump(about: JsonObject | null): AsyncGenerator<Uint8Array> {
    return this.#local.dump(about);
  }
  load(bytes: Uint8Array | null): Promise<JsonObject | null> {
    return this.#local.load(bytes);
  }
  check(): Promise<{ readonly rows: number; readonly problems: readonly string[] }> {
    return this.#local.check();
  }
  flush(): Promise<void> {
    return this.#local.flush();
  }
}

/** Where in the log a dump was made: its header says so. */
export function positionIn(firstFrame: Uint8Array): LogPosition {
  const end = firstFrame.indexOf(10);
  const { log } = JSON.parse(Buffer.from(firstFrame.subarray(0, end)).toString()) as { readonly log: LogPosition };
  return log;
}
