/** memory-brain in this process, on real threads and files, behind its contract. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InProcessServer, memoryBrainContract, serveGrpc } from "@mainspring/contracts";
import type { CallOptions, Connected, Principal } from "@mainspring/contracts";
import { composeMemoryBrain } from "@mainspring/memory-brain";
import type { MemoryBrainSettings } from "@mainspring/memory-brain";
import { IN_MEMORY, MongoConnection, openSqliteThread } from "@mainspring/service-kit";
import type { Platform } from "@mainspring/service-kit";

import { testPlatform } from "./test-platform.ts";

export type BrainClient = Connected<typeof memoryBrainContract>;

const principal = (subject: string, scopes: readonly string[], tenant = "default"): Principal => ({
  tenant,
  subject,
  scopes,
});

/** Callers of all kinds. */
export const ADMIN = principal("admin", ["admin"]);
export const KEY = principal("key_1", []);
export const FOREIGN_KEY = principal("key_2", [], "other");
export const FOREIGN_ADMIN = principal("admin", ["admin"], "other");
export const SERVICE = principal("engine-worker", ["service"]);
export const cwt = (...rights: readonly string[]): Principal =>
  principal("alice", ["cwt", ...rights.map((right) => `space:${right}`)]);

/** Options of a call by that principal; none is nobody. */
export const by = (caller: Principal | null): CallOptions => (caller === null ? {} : { principal: caller });

/** Workers that share a MongoDB. */
export interface SharedOptions extends Omit<TestBrainOptions, "platform"> {
  readonly mongo: { readonly url: string; readonly database: string };
  readonly dataDir: string;
}

/** One of many, in this process, reached by the others over gRPC. */
export async function startSharedBrain({ mongo, ...options }: SharedOptions): Promise<TestBrain> {
  const [connection, beats] = [new MongoConnection(mongo), new MongoConnection({ ...mongo, connectionsMax: 2 })];
  const stores = { kind: "mongo" as const, connection, beats };
  const brain = await startBrain({ ...options, platform: { stores, alone: false } });
  return {
    ...brain,
    [Symbol.asyncDispose]: async () => {
      await brain.stop();
      await Promise.all([connection.close(), beats.close()]);
    },
  };
}

export interface TestBrain extends AsyncDisposable {
  readonly client: BrainClient;
  readonly unexpected: unknown[];
  readonly dataDir: string;
  stop(): Promise<void>;
  /** Drains it and starts another on the same data. */
  restart(): Promise<TestBrain>;
}

export interface TestBrainOptions {
  readonly dataDir?: string;
  readonly platform?: Partial<Platform>;
  readonly settings?: Partial<MemoryBrainSettings>;
}

export async function startBrain(options: TestBrainOptions = {}): Promise<TestBrain> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "brain-"));
  const inMemory = dataDir === IN_MEMORY;
  const stores =
    inMemory || options.platform?.stores !== undefined
      ? {}
      : { stores: { kind: "sqlite" as const, thread: await openSqliteThread({ path: join(dataDir, "store.db") }) } };
  const platform = await testPlatform({ ...stores, ...options.platform });
  if (stores.stores !== undefined) platform.lifecycle.onClose("store", () => stores.stores!.thread.close());
  const settings = {
    spacesOpenMax: 32,
    memoryShard: 0,
    embedder: "offline/hash" as const,
    dataDir,
    ...options.settings,
  };
  const composed = await composeMemoryBrain(platform, settings);
  const unexpected: unknown[] = [];
  const server = new InProcessServer(composed.registrations, { onUnexpected: (_, error) => unexpected.push(error) });
  const grpc = await serveGrpc(composed.registrations, { listen: "127.0.0.1:0" });
  await composed.start(grpc.address);
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await composed.drain(10_000);
    await server.drain(1_000);
    await grpc.drain(1_000);
    await platform.close();
  };
  return {
    client: server.connect(memoryBrainContract),
    unexpected,
    dataDir,
    stop,
    restart: async () => {
      await stop();
      return startBrain({ ...options, dataDir });
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      if (!inMemory) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
