/** The Spaces that this process has open: loaded at first use, once; closed when idle or when there are too many. */
import type { CancelTimer, Clock } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import { KipError } from "@mainspring/kip";

import { spaceMissing } from "../domain/access.ts";
import { NegativeCache } from "../domain/negative-cache.ts";
import type { SpaceRow } from "../ports/directory.ts";
import type { TokenRow } from "../ports/space-records.ts";
import type { RequestContext } from "./execute.ts";
import type { SpaceHandle } from "./space/space-handle.ts";

/** A Space that nobody used for this long is closed. */
export const IDLE_MS = 9 * 60_000;
/** How often idle Spaces are looked for, and counts of token uses are written. */
const PASS_EVERY_MS = 60_000;
const DRAIN_LOOK_MS = 10;

export const SYSTEM: RequestContext = {
  caller: "system",
  authority: { principal: "owner", actor: undefined },
  readOnly: false,
};

export class OpenSpace {
  row: SpaceRow;
  readonly handle: SpaceHandle;
  readonly negative = new NegativeCache();
  readonly tokens = new Map<string, TokenRow>();
  /** Uses of tokens that are not written yet. */
  readonly uses = new Map<string, number>();
  users = 0;
  usedMs: number;

  constructor(row: SpaceRow, handle: SpaceHandle, tokens: readonly TokenRow[], usedMs: number) {
    this.row = row;
    this.handle = handle;
    this.usedMs = usedMs;
    for (const token of tokens) this.tokens.set(token.hash, token);
  }

  async writeUses(): Promise<void> {
    if (this.uses.size === 0 || this.handle.staleAsOf() !== null) return;
    const uses = [...this.uses].map(([hash, times]) => ({ hash, times }));
    this.uses.clear();
    try {
      await this.handle.call("countTokenUses", uses, SYSTEM);
    } catch (error) {
      for (const { hash, times } of uses) this.uses.set(hash, (this.uses.get(hash) ?? 0) + times);
      throw error;
    }
  }
}

interface Entry {
  readonly opening: Promise<OpenSpace>;
  opened: OpenSpace | null;
  closing: Promise<void> | null;
}

export interface OpenSpacesPorts {
  readonly clock: Clock;
  /** Makes the Space usable here; creates its database where there is none. Throws `not_found` where it was removed. */
  readonly open: (row: SpaceRow) => Promise<SpaceHandle>;
  readonly warn: (error: unknown, message: string, space: string) => void;
}

export interface OpenSpacesSettings {
  /** Most Spaces that are open at a time. */
  readonly max: number;
  /** They are lost when they are closed, so they are kept. */
  readonly inMemory: boolean;
}

export class OpenSpaces {
  readonly #ports: OpenSpacesPorts;
  readonly #settings: OpenSpacesSettings;
  readonly #entries = new Map<string, Entry>();
  #draining = false;
  #cancelPass: CancelTimer = () => undefined;

  constructor(ports: OpenSpacesPorts, settings: OpenSpacesSettings) {
    this.#ports = ports;
    this.#settings = settings;
  }

  get size(): number {
    return this.#entries.size;
  }

  isOpen(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The row of a Space that is open, which is newer than any copy. */
  rowOf(id: string): SpaceRow | null {
    const entry = this.#entries.get(id);
    return entry?.closing === null ? (entry.opened?.row ?? null) : null;
  }

  /** What the directory says of a Space that may be open. */
  noteRow(row: SpaceRow): void {
    const opened = this.#entries.get(row.id)?.opened;
    if (opened?.row.creation === row.creation) opened.row = row;
  }

  /** Runs something with the Space, which stays open until it is done. Throws `not_found` where it was removed meanwhile. */
  async use<T>(row: SpaceRow, run: (space: OpenSpace) => Promise<T>): Promise<T> {
    const space = await this.#hold(row);
    try {
      return await run(space);
    } finally {
      space.users -= 1;
      space.usedMs = this.#ports.clock.monotonicMs();
    }
  }

  async #hold(row: SpaceRow): Promise<OpenSpace> {
    for (;;) {
      if (this.#draining) throw new MainspringError("unavailable", "this worker is stopping", { retry: "safe" });
      const entry = this.#entries.get(row.id) ?? (await this.#load(row));
      if (entry.closing !== null) {
        // A close that failed leaves it open.
        await entry.closing.catch(() => undefined);
        continue;
      }
      const space = await entry.opening;
      if (entry.closing !== null || this.#entries.get(row.id) !== entry) continue;
      // Another Space has the name since the row was read: whoever was let in was let into the one before.
      if (space.row.creation !== row.creation) throw spaceMissing(row.id);
      space.users += 1;
      space.usedMs = this.#ports.clock.monotonicMs();
      return space;
    }
  }

  async #load(row: SpaceRow): Promise<Entry> {
    for (;;) {
      // While room was made, another call may have opened it.
      const known = this.#entries.get(row.id);
      if (known !== undefined) return known;
      if (this.#entries.size < this.#settings.max) break;
      await this.#makeRoom();
    }
    const entry: Entry = { opening: this.#open(row), opened: null, closing: null };
    this.#entries.set(row.id, entry);
    entry.opening.then(
      (space) => {
        entry.opened = space;
        void space.handle.lost.then(() => this.#drop(row.id, entry));
      },
      () => this.#drop(row.id, entry),
    );
    return entry;
  }

  #drop(id: string, entry: Entry): void {
    if (this.#entries.get(id) === entry && entry.closing === null) this.#entries.delete(id);
  }

  async #open(row: SpaceRow): Promise<OpenSpace> {
    try {
      const handle = await this.#ports.open(row);
      const tokens = await handle.call("tokens", null, SYSTEM);
      return new OpenSpace(row, handle, tokens, this.#ports.clock.monotonicMs());
    } catch (error) {
      // It was removed meanwhile.
      if (error instanceof MainspringError && error.code === "not_found") throw error;
      this.#ports.warn(error, "a Space could not be opened", row.id);
      if (error instanceof MainspringError && error.code === "unavailable") throw error;
      throw new MainspringError("internal", "the Space could not be opened", { cause: error, retry: "safe" });
    }
  }

  async #makeRoom(): Promise<void> {
    const idle = [...this.#entries].filter(([, { opened, closing }]) => closing === null && opened?.users === 0);
    const leaving = [...this.#entries.values()].find(({ closing }) => closing !== null);
    if (leaving?.closing !== null && leaving?.closing !== undefined) return leaving.closing;
    const [oldest] = idle.sort(([, left], [, right]) => left.opened!.usedMs - right.opened!.usedMs);
    if (oldest === undefined || this.#settings.inMemory) {
      throw new MainspringError("resource_exhausted", `more than ${this.#settings.max} Spaces are in use`, {
        reason: "spaces_open",
        retry: "safe",
      });
    }
    await this.close(oldest[0]);
  }

  /** Closes the Space once nobody uses it. A close that fails leaves it open, and throws. */
  async close(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.closing ??= this.#close(id, entry);
    await entry.closing;
  }

  async #close(id: string, entry: Entry): Promise<void> {
    try {
      const space = await entry.opening;
      while (space.users > 0) await new Promise<void>((resolve) => this.#ports.clock.after(DRAIN_LOOK_MS, resolve));
      await space.writeUses().catch((error: unknown) => this.#ports.warn(error, "counts of token uses were lost", id));
      await space.handle.close();
      this.#entries.delete(id);
    } catch (error) {
      this.#ports.warn(error, "a Space could not be closed", id);
      throw error instanceof KipError ? new MainspringError("internal", "the Space could not be closed") : error;
    } finally {
      entry.closing = null;
    }
  }

  /** Begins to close what is idle. */
  start(): void {
    const pass = (): void => {
      this.#pass()
        .catch((error: unknown) => this.#ports.warn(error, "a pass over the open Spaces failed", ""))
        .finally(() => {
          if (!this.#draining) this.#cancelPass = this.#ports.clock.after(PASS_EVERY_MS, pass);
        });
    };
    this.#cancelPass = this.#ports.clock.after(PASS_EVERY_MS, pass);
  }

  async #pass(): Promise<void> {
    const now = this.#ports.clock.monotonicMs();
    for (const [id, { opened, closing }] of this.#entries) {
      if (opened === null || closing !== null) continue;
      const idle = opened.users === 0 && now - opened.usedMs >= IDLE_MS && !this.#settings.inMemory;
      // What fails here is tried again at the next pass.
      await (idle ? this.close(id) : opened.writeUses()).catch(() => undefined);
    }
  }

  /** Takes nothing new, finishes what was admitted, and closes every Space. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    this.#cancelPass();
    const all = Promise.all([...this.#entries.keys()].map((id) => this.close(id).catch(() => undefined)));
    let cancel: CancelTimer = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.#ports.clock.after(graceMs, resolve)));
    await Promise.race([all, late]);
    cancel();
  }
}
