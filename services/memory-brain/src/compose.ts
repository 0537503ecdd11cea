/** The only file that constructs the adapters of memory-brain. */
import { memoryBrainContract, serve } from "@mainspring/contracts";
import type { MemoryBrainClient } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { IN_MEMORY } from "@mainspring/service-kit";
import type { Composed, Platform } from "@mainspring/service-kit";

import { SpaceFiles } from "./adapters/space-files.ts";
import { SpaceStore } from "./adapters/space-store/space-store.ts";
import { openSqliteDirectory } from "./adapters/sqlite-directory.ts";
import type { BrainPorts } from "./app/brain.ts";
import { OpenSpaces } from "./app/open-spaces.ts";
import { composeShared } from "./compose-shared.ts";
import type { MemoryBrainSettings } from "./config.ts";
import { checkStillThere } from "./domain/access.ts";
import { memoryBrainService } from "./rpc/memory-brain-service.ts";

/** What the two deployments differ in. */
export interface Parts extends Pick<
  BrainPorts,
  "directory" | "discard" | "seize" | "shards" | "verify" | "move" | "isAbandoned" | "loaderHold"
> {
  readonly spaces: OpenSpaces;
  /** Null: the call is served here. */
  readonly locate: (spaceId: string) => Promise<MemoryBrainClient | null>;
  readonly start: (address: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function composeMemoryBrain(platform: Platform, settings: MemoryBrainSettings): Promise<Composed> {
  const { clock, random, metrics, stores } = platform;
  const parts =
    stores.kind === "sqlite"
      ? await composeAlone(platform, settings, await openSqliteDirectory(stores.thread))
      : composeShared(platform, settings, stores);
  const { spaces, locate, start, stop, ...ports } = parts;
  metrics.gauge("mainspring_spaces_open", "Spaces that are open in this worker.", () => spaces.size);
  return {
    registrations: [
      serve(memoryBrainContract, memoryBrainService({ clock, random, spaces, loading: new Set(), ...ports }, locate)),
    ],
    start: async (address) => {
      await start(address ?? "");
      spaces.start();
    },
    drain: async (graceMs) => {
      await spaces.drain(graceMs);
      await stop();
    },
  };
}

/** One process has every Space, each in a file of its own, or in memory. */
async function composeAlone(
  { clock, logger }: Platform,
  settings: MemoryBrainSettings,
  directory: BrainPorts["directory"],
): Promise<Parts> {
  const inMemory = settings.dataDir === IN_MEMORY;
  const files = inMemory ? null : SpaceFiles.own(settings.dataDir);
  const spaces = new OpenSpaces(
    {
      clock,
      open: async (row) => {
        checkStillThere(row, await directory.get(row.id));
        return SpaceStore.open(files?.pathOf(row.id) ?? ":memory:", row.id, { embedder: settings.embedder });
      },
      warn: (error, message, space) => logger.warn({ error, space }, message),
    },
    { max: settings.spacesOpenMax, inMemory },
  );
  return {
    directory,
    spaces,
    discard: async ({ id }) => await files?.removeAll(id),
    seize: async () => undefined,
    isAbandoned: ({ id }) => !spaces.isOpen(id),
    loaderHold: () => null,
    shards: () => Promise.resolve([settings.memoryShard]),
    verify: async ({ handle }) => {
      const { rows, problems } = await handle.check();
      return { rows, differences: problems };
    },
    move: () => {
      throw new MainspringError("failed_precondition", "there is one shard only", { reason: "no_such_shard" });
    },
    locate: async () => null,
    start: async () => undefined,
    stop: async () => undefined,
  };
}
