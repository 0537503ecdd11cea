/**
 * Spaces that several workers share. A worker takes the hold, brings its copy up to what the log says, and writes its epoch
 * as a record; from then on every write is a record before it is committed. Who finds the next number taken has lost the
 * Space. The hold only keeps workers from trying: the log decides.
 */
import type { Clock, Random } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import { KipError } from "@mainspring/kip";

import { checkStillThere } from "../../domain/access.ts";
import type { Directory, Hold, SpaceRow } from "../../ports/directory.ts";
import type { LogRecord, Snapshot, SpaceLog } from "../../ports/space-log.ts";
import { RECORDS_PER_READ_MAX } from "../../ports/space-log.ts";
import type { LocalSpace, LogPosition } from "../local-space.ts";
import { SharedSpace } from "./shared-space.ts";
import type { Workers } from "./workers.ts";

const CLAIM_BYTES = 12;
/** Times that a copy is made anew when the log moves on meanwhile. */
const RESTORES_MAX = 5;
const EPOCH_TRIES_MAX = 20;

export interface SharedSpacesPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly directory: Directory;
  readonly log: SpaceLog;
  readonly workers: Workers;
  /** Opens this worker's copy; makes an empty one where there is none. */
  readonly openLocal: (id: string) => Promise<LocalSpace>;
  /** Puts a copy that is not what the log says out of the way. */
  readonly setAside: (id: string) => Promise<void>;
  readonly warn: (error: unknown, message: string, space: string) => void;
}

/** The name of a Space's log: another Space of the same name has another. */
export const logNameOf = ({ id, creation }: Pick<SpaceRow, "id" | "creation">): string =>
  `${id}.${creation.slice(0, 12)}`;

const moved = (): MainspringError =>
  new MainspringError("unavailable", "another worker has the Space; send the request again", {
    reason: "space_moved",
    retry: "safe",
  });

export class SharedSpaces {
  readonly #ports: SharedSpacesPorts;
  readonly #open = new Map<string, SharedSpace>();

  constructor(ports: SharedSpacesPorts) {
    this.#ports = ports;
  }

  spaceOf(id: string): SharedSpace | undefined {
    return this.#open.get(id);
  }

  /** Takes the Space and makes it usable here. Throws `unavailable` where another has it or nothing can be known. */
  async open(given: SpaceRow): Promise<SharedSpace> {
    const { directory, workers } = this.#ports;
    if (workers.staleAsOf() !== null) {
      throw new MainspringError("unavailable", "this worker is out of touch with the directory", { retry: "safe" });
    }
    // What was lost a moment ago still lets go of its file.
    await this.#open.get(given.id)?.ended;
    const row = await directory.get(given.id);
    checkStillThere(given, row);
    const hold = await this.#take(row);
    try {
      // Who removes a Space says so while it holds it: who holds it after that sees it here.
      checkStillThere(given, await directory.get(given.id));
      return await this.#openHeld(row, hold);
    } catch (error) {
      await directory.release(row.id, hold).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Takes the hold of a Space that is closed here and is to go. Nothing where it is gone already. Throws `unavailable` where
   * another has it.
   */
  async seize({ id, creation }: SpaceRow): Promise<void> {
    await this.#open.get(id)?.ended;
    const row = await this.#ports.directory.get(id);
    if (row?.creation === creation) await this.#take(row);
  }

  async #take(row: SpaceRow): Promise<Hold> {
    const { directory, workers, random } = this.#ports;
    if (row.hold !== null && row.hold.worker !== workers.id && !workers.isDead(row.hold.worker)) throw moved();
    const claim = Buffer.from(random.bytes(CLAIM_BYTES)).toString("hex");
    const hold: Hold = { worker: workers.id, epoch: row.epoch + 1, claim };
    if (!(await directory.take(row.id, row.hold, hold))) throw moved();
    return hold;
  }

  async #openHeld(row: SpaceRow, hold: Hold): Promise<SharedSpace> {
    const name = logNameOf(row);
    const { local, at, snapshot, erased } = await this.#current(row.id, name, hold);
    try {
      const begun = await this.#begin(name, local, at, hold);
      const space = new SharedSpace(this.#ports, { row, name, hold, local, at: begun, snapshot, erased });
      await space.start();
      this.#open.set(row.id, space);
      void space.ended.then(() => {
        if (this.#open.get(row.id) === space) this.#open.delete(row.id);
      });
      return space;
    } catch (error) {
      await local.kill();
      throw error;
    }
  }

  /** A copy that is what the log says. */
  async #current(id: string, name: string, hold: Hold): Promise<Copy> {
    for (let tries = 0; tries < RESTORES_MAX; tries += 1) {
      const snapshot = await this.#ports.log.snapshot(name);
      const local = await this.#agreeing(id, name, snapshot);
      try {
        const read = await this.#catchUp(name, local, await local.position(), hold, tries > 0);
        if (read !== null) return { local, snapshot, ...read };
        // The records that were wanted are in a newer snapshot by now.
        await local.close();
      } catch (error) {
        await local.kill();
        const differs = error instanceof KipError && error.code === "DigestMismatch";
        if (!differs) throw error;
        await this.#ports.setAside(id);
      }
    }
    throw new MainspringError("unavailable", "the Space's log moves on faster than it can be read", { retry: "safe" });
  }

  /** The copy that is here, if it is part of what the log says; else one that is restored from the snapshot. */
  async #agreeing(id: string, name: string, snapshot: Snapshot | null): Promise<LocalSpace> {
    const { openLocal, setAside, log } = this.#ports;
    let local = await openLocal(id).catch(async () => {
      await setAside(id);
      return await openLocal(id);
    });
    const [at, empty] = [await local.position(), await local.isEmpty()];
    if (await this.#agrees(name, at, snapshot, empty)) return local;
    if (!empty) {
      await local.close();
      await setAside(id);
      local = await openLocal(id);
    }
    if (snapshot === null) return local;
    try {
      for (let index = 0; index < snapshot.parts; index += 1)
        await local.restore(await log.readPart(name, snapshot.id, index), snapshot);
      await local.restore(null, snapshot);
      return local;
    } catch (error) {
      await local.kill();
      await setAside(id);
      throw error;
    }
  }

  async #agrees(name: string, at: LogPosition, snapshot: Snapshot | null, empty: boolean): Promise<boolean> {
    const from = snapshot?.no ?? 0;
    if (at.no < from) return false;
    if (at.no === 0) return empty;
    if (at.no === from) return at.commit === snapshot!.commit;
    const [record] = await this.#ports.log.read(name, at.no - 1, 1);
    return record?.commit === at.commit;
  }

  /** Applies what follows. Null: it is not in the log any more. */
  async #catchUp(
    name: string,
    local: LocalSpace,
    from: LogPosition,
    hold: Hold,
    again: boolean,
  ): Promise<CaughtUp | null> {
    let at = from;
    let erased = false;
    for (;;) {
      const records = await this.#ports.log.read(name, at.no, RECORDS_PER_READ_MAX);
      if (records.some(({ epoch }) => epoch >= hold.epoch)) throw moved();
      if (records.some(({ patch }) => patch === null)) {
        if (again) await new Promise<void>((resolve) => this.#ports.clock.after(50, resolve));
        return null;
      }
      await local.apply(records as (LogRecord & { readonly patch: Uint8Array })[]);
      erased ||= records.some((record) => record.erased);
      const last = records.at(-1);
      if (last !== undefined) at = { no: last.no, commit: last.commit };
      if (records.length < RECORDS_PER_READ_MAX) return { at, erased };
    }
  }

  /** Writes the epoch as the next record, after whatever the holder before still wrote. */
  async #begin(name: string, local: LocalSpace, from: LogPosition, hold: Hold): Promise<LogPosition> {
    const { log, random } = this.#ports;
    let at = from;
    for (let tries = 0; tries < EPOCH_TRIES_MAX; tries += 1) {
      const commit = Buffer.from(random.bytes(CLAIM_BYTES)).toString("hex");
      const next = { no: at.no + 1, commit };
      if (await log.append(name, { ...next, epoch: hold.epoch, erased: false, patch: new Uint8Array() })) {
        await local.apply([{ ...next, patch: new Uint8Array() }]);
        return next;
      }
      const read = await this.#catchUp(name, local, at, hold, false);
      if (read === null) break;
      at = read.at;
    }
    throw moved();
  }

  /** Gives up what is not held any more. `held` is what the directory says. */
  checkHolds(held: readonly SpaceRow[]): void {
    const claims = new Map(held.map(({ id, hold }) => [id, hold?.claim]));
    for (const [id, space] of this.#open) if (claims.get(id) !== space.claim) space.lose();
  }
}

interface CaughtUp {
  readonly at: LogPosition;
  readonly erased: boolean;
}

interface Copy extends CaughtUp {
  readonly local: LocalSpace;
  readonly snapshot: Snapshot | null;
}
