/**
 * Ids of spans: random, but for one case. A worker that takes a session over closes the span of the one that died, which
 * was never sent, under the id that its children already know.
 */
import { randomBytes } from "node:crypto";

import { takeChosenSpanId } from "@mainspring/contracts";
import type { IdGenerator } from "@opentelemetry/sdk-trace";

export class ChosenIds implements IdGenerator {
  generateTraceId(): string {
    return randomBytes(16).toString("hex");
  }

  generateSpanId(): string {
    return takeChosenSpanId() ?? randomBytes(8).toString("hex");
  }
}
