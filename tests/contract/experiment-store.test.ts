import { inject } from "vitest";

import { MongoExperimentStore } from "../../services/eval-runner/src/adapters/mongo-experiment-store.ts";
import { openSqliteExperimentStore } from "../../services/eval-runner/src/adapters/sqlite-experiment-store.ts";
import { withServer } from "../support/adapters.ts";
import { mongoHarness, sqliteHarness } from "../support/store-harness.ts";
import { describeExperimentStore } from "./suites/experiment-store-suite.ts";

describeExperimentStore("SQLite", () => sqliteHarness(openSqliteExperimentStore));
withServer("experiment store on MongoDB", inject("servers").mongo, (url, name) => {
  describeExperimentStore(name, () =>
    mongoHarness(url, (connection) => new MongoExperimentStore(connection, connection)),
  );
});
