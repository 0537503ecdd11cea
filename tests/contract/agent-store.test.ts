import { inject } from "vitest";

import { MongoAgentStore } from "../../services/engine-worker/src/adapters/mongo-agent-store.ts";
import { openSqliteAgentStore } from "../../services/engine-worker/src/adapters/sqlite-agent-store.ts";
import { withServer } from "../support/adapters.ts";
import { mongoHarness, sqliteHarness } from "../support/store-harness.ts";
import { describeAgentStore } from "./suites/agent-store-suite.ts";

describeAgentStore("SQLite", () => sqliteHarness(openSqliteAgentStore));
withServer("agent store on MongoDB", inject("servers").mongo, (url, name) => {
  describeAgentStore(name, () => mongoHarness(url, (connection) => new MongoAgentStore(connection)));
});
