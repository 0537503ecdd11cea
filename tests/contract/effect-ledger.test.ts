import { inject } from "vitest";

import { MongoEffectLedger } from "../../services/tool-runner/src/adapters/mongo-effect-ledger.ts";
import { openSqliteEffectLedger } from "../../services/tool-runner/src/adapters/sqlite-effect-ledger.ts";
import { bindLedger, MemoryLedgerRows } from "../simulation/memory-ledger.ts";
import { atOnce } from "../simulation/memory-session-store.ts";
import { withServer } from "../support/adapters.ts";
import { memoryHarness, mongoHarness, sqliteHarness } from "../support/store-harness.ts";
import { describeEffectLedger } from "./suites/effect-ledger-suite.ts";

describeEffectLedger("SQLite", () => sqliteHarness(openSqliteEffectLedger));
withServer("effect ledger on MongoDB", inject("servers").mongo, (url, name) => {
  describeEffectLedger(name, () => mongoHarness(url, (connection) => new MongoEffectLedger(connection, connection)));
});
describeEffectLedger("the simulation's memory", () => {
  const memory = new MemoryLedgerRows();
  return memoryHarness(() => bindLedger(memory, atOnce));
});
