/** The database goes away and freezes: callers are told in time, and everything works again by itself. */
import { MongoConnection } from "@mainspring/service-kit";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";

import { MongoSessionStore } from "../../services/engine-worker/src/adapters/mongo-session-store.ts";
import { withOwnServer } from "../support/adapters.ts";
import { startMongo } from "../support/mongo.ts";
import type { ServerControl, TestServer } from "../support/server-process.ts";
import { commitOf, headOf } from "./suites/session-store-suite.ts";

const PATIENCE = { timeout: 30_000, interval: 50 };

withOwnServer("a database that goes away", inject("servers").mongo, () => {
  let server: TestServer;
  let control: ServerControl;
  let connection: MongoConnection;
  let store: MongoSessionStore;

  beforeAll(async () => {
    server = await startMongo();
    control = server.control as ServerControl;
    connection = new MongoConnection({ url: server.url, database: "test" });
    store = new MongoSessionStore(connection, connection);
  });

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  test("a database that is stopped is unavailable; after its return what was acknowledged is there", async () => {
    const commit = commitOf("ses_stopped", 1);
    expect(await store.insertCommit(commit)).toBe("inserted");
    await control.kill("SIGTERM");
    await expect(store.insertCommit(commitOf("ses_stopped", 2))).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.ping()).rejects.toMatchObject({ code: "unavailable" });
    await control.start();
    await vi.waitFor(async () => await store.ping(), PATIENCE);
    expect(await store.readCommits("ses_stopped", 1, 64)).toEqual([commit]);
  });

  test("a frozen database is unavailable with an unknown outcome, and what was sent is found or made afterwards", async () => {
    await store.insertHead(headOf("ses_frozen"));
    control.freeze();
    const commit = commitOf("ses_frozen", 1);
    await expect(store.insertCommit(commit)).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.readHead("ses_frozen")).rejects.toMatchObject({ code: "unavailable" });
    control.thaw();
    await vi.waitFor(async () => await store.ping(), PATIENCE);
    await store.insertCommit(commit);
    expect(await store.readCommits("ses_frozen", 1, 64)).toEqual([commit]);
  });

  test("a store that was opened while the database was away works once it is there", async () => {
    await control.kill("SIGTERM");
    const early = new MongoConnection({ url: server.url, database: "early" });
    const earlyStore = new MongoSessionStore(early, early);
    await expect(earlyStore.ping()).rejects.toMatchObject({ code: "unavailable", retry: "safe" });
    await expect(earlyStore.readHead("ses_1")).rejects.toMatchObject({ code: "unavailable", retry: "safe" });
    await control.start();
    await vi.waitFor(
      async () => expect(await earlyStore.insertHead(headOf("ses_1"))).toMatch(/inserted|duplicate/),
      PATIENCE,
    );
    expect(await earlyStore.readHead("ses_1")).toEqual(headOf("ses_1"));
    await early.close();
  });
});
