import { inject } from "vitest";

import { MongoDirectory } from "../../services/memory-brain/src/adapters/mongo-directory.ts";
import { openSqliteDirectory } from "../../services/memory-brain/src/adapters/sqlite-directory.ts";
import { withServer } from "../support/adapters.ts";
import { mongoHarness, sqliteHarness } from "../support/store-harness.ts";
import { describeDirectory } from "./suites/directory-suite.ts";

describeDirectory("SQLite", () => sqliteHarness(openSqliteDirectory));
withServer("directory of Spaces on MongoDB", inject("servers").mongo, (url, name) => {
  describeDirectory(name, () => mongoHarness(url, (connection) => new MongoDirectory(connection, connection)));
});
