import { BullmqQueue, InProcessQueue } from "@mainspring/service-kit";
import type { OnJobFailed } from "@mainspring/service-kit";
import { inject } from "vitest";

import { uniqueName, withServer } from "../support/adapters.ts";
import { connectedHarness, memoryHarness } from "../support/store-harness.ts";
import { describeJobQueue } from "./suites/job-queue-suite.ts";

describeJobQueue("in process", { durable: false }, async (onFailed) => {
  const queue = new InProcessQueue(onFailed);
  return { ...(await memoryHarness(() => queue)), close: () => queue.close() };
});
withServer("job queue on BullMQ", inject("servers").redis, (url, name) => {
  describeJobQueue(name, { durable: true }, async (onFailed: OnJobFailed) => {
    const prefix = uniqueName();
    return connectedHarness(() => new BullmqQueue({ url, prefix, onFailed }));
  });
});
