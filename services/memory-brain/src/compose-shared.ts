/** memory-brain as one worker of many: constructs the adapters of a deployment on MongoDB. */
import { mkdtempSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

import type { MemoryBrainClient } from "@mainspring/contracts";
import { MainspringError, newId } from "@mainspring/kernel";
import { IN_MEMORY } from "@mainspring/service-kit";
import type { Platform, Stores } from "@mainspring/service-kit";

import { MongoDirectory } from "./adapters/mongo-directory.ts";
import { MongoSpaceLog } from "./adapters/mongo-space-log.ts";
import { PeerClients } from "./adapters/peer-clients.ts";
import { SpaceFiles } from "./adapters/space-files.ts";
import { SpaceStore } from "./adapters/space-store/space-store.ts";
import { OpenSpaces } from "./app/open-spaces.ts";
import { logNameOf, SharedSpaces } from "./app/ownership/take-over.ts";
import type { SharedSpacesPorts } from "./app/ownership/take-over.ts";
import { verifySpace } from "./app/verify-space.ts";
import type { VerifyPorts } from "./app/verify-space.ts";
import { Workers } from "./app/ownership/workers.ts";
import type { Parts } from "./compose.ts";
import type { MemoryBrainSettings } from "./config.ts";
import { placeOf } from "./domain/placement.ts";
import type { SpaceRow } from "./ports/directory.ts";

type MongoStores = Extract<Stores, { readonly kind: "mongo" }>;

export function composeShared(
  platform: Platform,
  settings: MemoryBrainSettings,
  { connection, beats }: MongoStores,
): Parts {
  const { clock, random, logger } = platform;
  const directory = new MongoDirectory(connection, beats);
  const log = new MongoSpaceLog(connection);
  const files = openFiles(settings.dataDir);
  const warn = (error: unknown, message: string, space: string): void => logger.warn({ error, space }, message);
  const onHeld = (rows: readonly SpaceRow[]): void => shared.checkHolds(rows);
  const workers = new Workers(newId("wrk", clock.now(), random), settings.memoryShard, { clock, directory, onHeld });
  const openLocal: SharedSpacesPorts["openLocal"] = (id) =>
    SpaceStore.open(files.pathOf(id), id, { recorded: true, embedder: settings.embedder });
  const setAside = async (id: string): Promise<void> => {
    logger.warn({ space: id }, "the copy of a Space is not what its log says; it is made anew");
    await files.setAside(id);
  };
  const shared: SharedSpaces = new SharedSpaces({ clock, random, directory, log, workers, openLocal, setAside, warn });
  const spaces = new OpenSpaces(
    { clock, open: (row) => shared.open(row), warn },
    { max: settings.spacesOpenMax, inMemory: false },
  );
  /** Copies of Spaces that were removed while another worker had them. */
  const removeOrphans = async (): Promise<void> => {
    for (const id of await files.ids()) if ((await directory.get(id)) === null) await files.removeAll(id);
  };
  const peers = new PeerClients();
  const openApart: VerifyPorts["openApart"] = async () => {
    const name = `verify-${Buffer.from(random.bytes(8)).toString("hex")}`;
    return {
      copy: await SpaceStore.open(files.pathOf(name), name, { recorded: true }),
      drop: () => files.remove(name),
    };
  };
  return {
    directory,
    spaces,
    shards: async () => {
      if (workers.staleAsOf() === null) return workers.liveShards();
      throw new MainspringError("unavailable", "this worker is out of touch with the directory", { retry: "safe" });
    },
    discard: async (row) => {
      await log.remove(logNameOf(row));
      await files.removeAll(row.id);
    },
    seize: (row) => shared.seize(row),
    loaderHold: ({ creation, epoch }) => ({ worker: workers.id, epoch, claim: creation }),
    isAbandoned: ({ id, hold }) =>
      !spaces.isOpen(id) && (hold === null || hold.worker === workers.id || workers.isDead(hold.worker)),
    verify: ({ row, handle }) => verifySpace({ log, openApart }, row, handle.dump(null)),
    move: async ({ id }, shard) => {
      const space = shared.spaceOf(id);
      if (space === undefined) throw new MainspringError("unavailable", "the Space is on its way", { retry: "safe" });
      space.leaveTo = shard;
      await spaces.close(id);
    },
    locate: locator(directory, spaces, workers, peers),
    start: async (address) => {
      await removeOrphans().catch((error: unknown) =>
        warn(error, "copies of removed Spaces could not be looked for", ""),
      );
      await workers.start(reachable(address));
    },
    stop: async () => {
      await workers.stop();
      peers.close();
      files.release();
    },
  };
}

/** Copies of a worker that keeps nothing go with it: the log has everything. */
function openFiles(dataDir: string): SpaceFiles {
  if (dataDir !== IN_MEMORY) return SpaceFiles.shared(dataDir);
  return SpaceFiles.temporary(mkdtempSync(join(tmpdir(), "mainspring-spaces-")));
}

/** A Space that is open here is served here; of others the directory says where they are. */
function locator(directory: MongoDirectory, spaces: OpenSpaces, workers: Workers, peers: PeerClients): Parts["locate"] {
  const known = {
    self: workers.id,
    shard: workers.shard,
    isDead: (worker: string) => workers.isDead(worker),
    addressOf: (worker: string) => workers.addressOf(worker),
    ofShard: (shard: number) => workers.ofShard(shard),
  };
  return async (id): Promise<MemoryBrainClient | null> => {
    if (spaces.isOpen(id)) return null;
    const row = await directory.get(id);
    if (row === null) return null;
    const place = placeOf({ shard: row.shard, holder: row.hold?.worker ?? null }, known);
    if (place === "here") return null;
    if (place !== "nowhere") return peers.at(place.address);
    throw new MainspringError("unavailable", "the worker that has the Space cannot be reached", {
      reason: "space_moved",
      retry: "safe",
    });
  };
}

/** A worker that listens on every address is known by its host's name. */
function reachable(address: string): string {
  return address.replace(/^(0\.0\.0\.0|\[::\]|::):/, `${hostname()}:`);
}
