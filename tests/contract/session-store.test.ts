import { inject } from "vitest";

import { MongoSessionStore } from "../../services/engine-worker/src/adapters/mongo-session-store.ts";
import { openSqliteSessionStore } from "../../services/engine-worker/src/adapters/sqlite-session-store.ts";
import { atOnce, bindSessions, MemorySessions } from "../simulation/memory-session-store.ts";
import { withServer } from "../support/adapters.ts";
import { memoryHarness, mongoHarness, sqliteHarness } from "../support/store-harness.ts";
import { describeSessionStore } from "./suites/session-store-suite.ts";

describeSessionStore("SQLite", () => sqliteHarness(openSqliteSessionStore));
withServer("session store on MongoDB", inject("servers").mongo, (url, name) => {
  describeSessionStore(name, () => mongoHarness(url, (connection) => new MongoSessionStore(connection, connection)));
});
describeSessionStore("the simulation's memory", () => {
  const memory = new MemorySessions();
  return memoryHarness(() => bindSessions(memory, atOnce));
});
