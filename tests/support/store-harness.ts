/** Harnesses for stores: on one SQLite file, on one MongoDB database, or on one memory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MongoConnection, openSqliteThread } from "@mainspring/service-kit";
import type { SqliteThread } from "@mainspring/service-kit";

import { uniqueName } from "./adapters.ts";
import type { Harness } from "./adapters.ts";

const PEERS = 8;

/** A thread has one writer, so the peers are calls that are made at once. */
export async function sqliteHarness<Port>(open: (thread: SqliteThread) => Promise<Port>): Promise<Harness<Port>> {
  const directory = await mkdtemp(join(tmpdir(), "mainspring-store-"));
  const path = join(directory, "store.db");
  let thread = await openSqliteThread({ path });
  const subject = await open(thread);
  return {
    subject,
    peers: Array.from({ length: PEERS }, () => subject),
    reopen: async () => {
      await thread.close();
      thread = await openSqliteThread({ path });
      return await open(thread);
    },
    close: async () => {
      await thread.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function mongoHarness<Port>(
  url: string,
  open: (connection: MongoConnection) => Port,
): Promise<Harness<Port>> {
  const database = uniqueName();
  const connections: MongoConnection[] = [];
  const connect = (): MongoConnection => {
    const connection = new MongoConnection({ url, database });
    connections.push(connection);
    return connection;
  };
  const [first, second] = [connect(), connect()];
  return {
    subject: open(first),
    peers: Array.from({ length: PEERS }, (_, index) => open(index % 2 === 0 ? first : second)),
    reopen: async () => {
      for (const connection of connections.splice(0)) await connection.close();
      return open(connect());
    },
    close: async () => {
      await (await connect().database()).db.dropDatabase();
      for (const connection of connections) await connection.close();
    },
  };
}

export async function memoryHarness<Port>(open: () => Port): Promise<Harness<Port>> {
  return {
    subject: open(),
    peers: Array.from({ length: PEERS }, open),
    reopen: async () => open(),
    close: async () => undefined,
  };
}

/** For adapters that own their connections: each peer has some of its own. */
export async function connectedHarness<Port extends { close(): Promise<void> }>(
  connect: () => Port,
): Promise<Harness<Port>> {
  const opened: Port[] = [];
  const open = (): Port => {
    const port = connect();
    opened.push(port);
    return port;
  };
  const closeAll = async (): Promise<void> => void (await Promise.all(opened.splice(0).map((port) => port.close())));
  return {
    subject: open(),
    peers: Array.from({ length: PEERS }, open),
    reopen: async () => {
      await closeAll();
      return open();
    },
    close: closeAll,
  };
}
