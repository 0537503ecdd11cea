import { InProcessBus, RedisBus } from "@mainspring/service-kit";
import { inject } from "vitest";

import { uniqueName, withServer } from "../support/adapters.ts";
import { connectedHarness, memoryHarness } from "../support/store-harness.ts";
import { describeLiveBus } from "./suites/live-bus-suite.ts";

describeLiveBus("in process", () => {
  const bus = new InProcessBus();
  return memoryHarness(() => bus);
});
withServer("live bus on Redis", inject("servers").redis, (url, name) => {
  describeLiveBus(name, async () => {
    const prefix = uniqueName();
    return connectedHarness(() => new RedisBus({ url, prefix }));
  });
});
