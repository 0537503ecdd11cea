/** The only file that constructs the adapters of memory-brain. */
import { join } from "node:path";

import { memoryBrainContract, serve } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import { IN_MEMORY } from "@mainspring/service-kit";
import type { Composed, Platform, Stores } from "@mainspring/service-kit";

import { MongoDirectory } from "./adapters/mongo-directory.ts";
import { SpaceFiles } from "./adapters/space-files.ts";
import { SpaceStore } from "./adapters/space-store/space-store.ts";
import { openSqliteDirectory } from "./adapters/sqlite-directory.ts";
import type { BrainPorts, Verified } from "./app/brain.ts";
import type { OpenSpace } from "./app/open-spaces.ts";
import { OpenSpaces } from "./app/open-spaces.ts";
import type { MemoryBrainSettings } from "./config.ts";
import type { Directory } from "./ports/directory.ts";
import { memoryBrainService } from "./rpc/memory-brain-service.ts";

export async function composeMemoryBrain(platform: Platform, settings: MemoryBrainSettings): Promise<Composed> {
  const { clock, random, logger, metrics } = platform;
  const directory = await openDirectory(platform.stores);
  const inMemory = settings.dataDir === IN_MEMORY;
  const files = new SpaceFiles(join(settings.dataDir, "spaces"));
  if (!inMemory) await files.prepare();
  const open = (id: string): Promise<SpaceStore> => SpaceStore.open(inMemory ? ":memory:" : files.pathOf(id), id);
  const warn = (error: unknown, message: string, space: string): void => logger.warn({ error, space }, message);
  const spaces = new OpenSpaces({ clock, open: ({ id }) => open(id), warn }, { max: settings.spacesOpenMax, inMemory });
  const ports: BrainPorts = {
    clock,
    random,
    directory,
    spaces,
    discard: (id) => files.remove(id),
    shards: () => [settings.memoryShard],
    verify: verifyFile,
    move: () => {
      throw new MainspringError("failed_precondition", "there is one shard only", { reason: "no_such_shard" });
    },
  };
  metrics.gauge("mainspring_spaces_open", "Spaces that are open in this worker.", () => spaces.size);
  return {
    registrations: [serve(memoryBrainContract, memoryBrainService(ports))],
    start: () => spaces.start(),
    drain: (graceMs) => spaces.drain(graceMs),
  };
}

async function openDirectory(stores: Stores): Promise<Directory> {
  return stores.kind === "sqlite" ? openSqliteDirectory(stores.thread) : new MongoDirectory(stores.connection);
}

/** A Space that is nowhere but in its file: whether that is whole. */
async function verifyFile({ handle }: OpenSpace): Promise<Verified> {
  const { rows, problems } = await handle.check();
  return { rows, differences: problems };
}
