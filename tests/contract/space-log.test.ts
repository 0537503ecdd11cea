import { inject } from "vitest";

import { MongoSpaceLog } from "../../services/memory-brain/src/adapters/mongo-space-log.ts";
import { withServer } from "../support/adapters.ts";
import { mongoHarness } from "../support/store-harness.ts";
import { describeSpaceLog } from "./suites/space-log-suite.ts";

withServer("log of Spaces on MongoDB", inject("servers").mongo, (url, name) => {
  describeSpaceLog(name, () => mongoHarness(url, (connection) => new MongoSpaceLog(connection)));
});
