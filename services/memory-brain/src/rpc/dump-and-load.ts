/** Spaces that are carried away as a dump, and brought back from one; their tokens stay behind. */
import type { Principal } from "@mainspring/contracts";
import type { LoadSpaceRequest__Output, Space } from "@mainspring/contracts/memory-brain";
import { MainspringError } from "@mainspring/kernel";
import type { JsonObject } from "@mainspring/kip";

import type { BrainPorts } from "../app/brain.ts";
import { aboutOf, enter, visibleRow } from "../app/brain.ts";
import { fromKip } from "../app/kip-failure.ts";
import { TIER_MAX } from "../domain/tier.ts";
import type { SpaceChange, SpaceRow } from "../ports/directory.ts";
import { DESCRIPTION_CHARACTERS_MAX, NAME_CHARACTERS_MAX, newRow } from "./new-space.ts";
import { reserveName } from "./reserve-name.ts";
import { viewOf } from "./space-views.ts";

/** Frames wait in a bounded buffer of the transport; the Space stays open meanwhile. */
export async function* dump(ports: BrainPorts, request: { space_id: string; shard?: number }, principal: Principal) {
  const row = await visibleRow(ports, "DumpSpace", request, principal);
  const frames = Promise.withResolvers<AsyncGenerator<Uint8Array>>();
  const done = Promise.withResolvers<void>();
  const entered = enter(ports, "DumpSpace", { space_id: row.id }, principal, ({ space }) => {
    frames.resolve(space.handle.dump(aboutOf(space.row)));
    return done.promise;
  });
  entered.catch((error: unknown) => frames.reject(error));
  try {
    for await (const data of await frames.promise) yield { data: Buffer.from(data) };
  } catch (error) {
    throw fromKip(error);
  } finally {
    done.resolve();
    await entered.catch(() => undefined);
  }
}

type LoadFrame = LoadSpaceRequest__Output;

export async function* load(ports: BrainPorts, requests: AsyncIterable<LoadFrame>, principal: Principal) {
  const frames = requests[Symbol.asyncIterator]();
  const first = await frames.next();
  if (first.done === true) throw new MainspringError("invalid_argument", "a load begins with the name of the Space");
  const { space_id: id, user, data } = first.value;
  const made = await newRow(ports, { id, user }, principal, true);
  // Held from the first moment on: a load that nobody holds is one that died.
  const row = { ...made, hold: ports.loaderHold(made) };
  ports.loading.add(row.creation);
  try {
    await reserveName(ports, row);
    yield { space: await loaded(ports, row, data, frames) };
  } finally {
    ports.loading.delete(row.creation);
  }
}

async function loaded(
  ports: BrainPorts,
  row: SpaceRow,
  data: Buffer,
  frames: AsyncIterator<LoadFrame>,
): Promise<Space> {
  const { id } = row;
  try {
    return await ports.spaces.use(row, async (opened) => {
      await opened.handle.load(data);
      for (let next = await frames.next(); next.done !== true; next = await frames.next())
        await opened.handle.load(next.value.data);
      const about = await opened.handle.load(null);
      const there = await ports.directory.update(id, loadedChange(about), row.creation);
      if (there === null) throw new MainspringError("aborted", "the load was given up meanwhile", { retry: "safe" });
      opened.row = there;
      return viewOf(opened);
    });
  } catch (error) {
    await ports.spaces.close(id).catch(() => undefined);
    await ports.discard(row);
    // Its own row only: the name may belong to another Space by now.
    await ports.directory.remove(row);
    throw fromKip(error);
  }
}

function loadedChange(about: JsonObject | null): SpaceChange {
  const { name, description, public: open, tier } = about ?? {};
  return {
    loading: false,
    ...(typeof name === "string" ? { name: name.slice(0, NAME_CHARACTERS_MAX) } : {}),
    ...(typeof description === "string" ? { description: description.slice(0, DESCRIPTION_CHARACTERS_MAX) } : {}),
    ...(typeof open === "boolean" ? { public: open } : {}),
    ...(typeof tier === "number" && Number.isInteger(tier) && tier >= 0 && tier <= TIER_MAX ? { tier } : {}),
  };
}
