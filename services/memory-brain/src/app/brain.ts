/** The way into a Space: where it is, who calls, what is open; then the use case itself. */
import type { Clock, Random } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";
import type { JsonObject } from "@mainspring/kip";

import type { Admitted, Caller, SpaceMethod } from "../domain/access.ts";
import { admit, admitToken, callerAt, checkLabels, spaceMissing } from "../domain/access.ts";
import type { Directory, Hold, SpaceRow } from "../ports/directory.ts";
import type { RequestContext } from "./execute.ts";
import { fromKip } from "./kip-failure.ts";
import type { OpenSpace, OpenSpaces } from "./open-spaces.ts";
import { lookUp } from "./space-tokens.ts";

export interface BrainPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly directory: Directory;
  readonly spaces: OpenSpaces;
  /** Removes what is kept of a Space that failed to load, or goes. */
  readonly discard: (row: SpaceRow) => Promise<void>;
  /** Keeps other workers from opening a Space that is closed. Throws `unavailable` where one of them has it. */
  readonly seize: (row: SpaceRow) => Promise<void>;
  /** `creation` of the rows that this process is loading or removing. */
  readonly loading: Set<string>;
  /** Who holds a row from the moment that its load begins; null where one process has every Space. */
  readonly loaderHold: (row: SpaceRow) => Hold | null;
  /** Nobody else is loading or removing it any more. */
  readonly isAbandoned: (row: SpaceRow) => boolean;
  /** Shards that a new Space may go to: those with a live worker. Not empty. */
  readonly shards: () => Promise<readonly number[]>;
  /** Compares the Space with what it would be restored from. */
  readonly verify: (space: OpenSpace) => Promise<Verified>;
  /** Hands the Space to a shard that is not its own. */
  readonly move: (row: SpaceRow, shard: number) => Promise<void>;
}

export interface Verified {
  readonly rows: number;
  readonly differences: readonly string[];
}

/** What every call about a Space names. */
export interface SpaceAddress {
  readonly space_id: string;
  readonly space_token?: string;
  readonly shard?: number;
}

/** A caller inside a Space. */
export interface Entered {
  readonly space: OpenSpace;
  readonly admitted: Admitted;
  /** For what only reads. */
  readonly reading: RequestContext;
  /** For what may write; recorded as the caller's. */
  readonly writing: RequestContext;
}

/** The Space's row, if the caller may know of it and named no wrong shard. */
export async function visibleRow(
  ports: BrainPorts,
  method: SpaceMethod,
  address: SpaceAddress,
  caller: Caller,
): Promise<SpaceRow> {
  const { space_id: id, shard } = address;
  const row = ports.spaces.rowOf(id) ?? (await ports.directory.get(id));
  if (row === null || row.loading) throw spaceMissing(id);
  callerAt(method, caller, row);
  checkShardNamed(row, shard);
  return row;
}

/** Throws `invalid_argument` where the caller named another shard than the Space's. */
export function checkShardNamed(row: SpaceRow, shard: number | undefined): void {
  if (shard === undefined || shard === row.shard) return;
  throw new MainspringError("invalid_argument", `the Space is on shard ${row.shard}, not ${shard}`, {
    reason: "wrong_shard",
    param: "shard",
  });
}

/** Lets the caller in, or throws. The Space stays open until `run` is done. */
export async function enter<T>(
  ports: BrainPorts,
  method: SpaceMethod,
  address: SpaceAddress,
  caller: Caller,
  run: (entered: Entered) => Promise<T>,
): Promise<T> {
  const row = await visibleRow(ports, method, address, caller);
  const token = address.space_token ?? "";
  const admission = admit(method, callerAt(method, caller, row), row, token);
  try {
    return await ports.spaces.use(row, async (space) => {
      const now = ports.clock.now();
      const admitted =
        admission.by === "caller" ? admission.admitted : admitToken(admission, lookUp(space, token, now), now);
      checkLabels(method, admitted);
      const actor = { caller: admitted.actor };
      const reading: RequestContext = { ...actor, authority: { principal: "agent", actor: undefined }, readOnly: true };
      const writing: RequestContext = {
        ...actor,
        authority: { principal: "owner", actor: undefined },
        readOnly: false,
      };
      return await run({ space, admitted, reading, writing });
    });
  } catch (error) {
    throw fromKip(error);
  }
}

/** Something that may change the Space: what was not found before may be found after it. */
export async function writing<T>(space: OpenSpace, run: () => Promise<T>): Promise<T> {
  space.negative.forget();
  try {
    return await run();
  } finally {
    space.negative.forget();
  }
}

/** What callers are told of how new an answer is; undefined while it is the newest. */
export function freshnessOf(space: OpenSpace): { readonly stale: boolean; readonly as_of: string } {
  const asOf = space.handle.staleAsOf();
  return asOf === null ? { stale: false, as_of: "" } : { stale: true, as_of: new Date(asOf).toISOString() };
}

/** What a dump tells of the Space beside its content. */
export function aboutOf({ name, description, public: open, tier }: SpaceRow): JsonObject {
  return { name, description, public: open, tier };
}
