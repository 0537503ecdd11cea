/**
 * Ids of spans: the SDK's, but for one case. A worker that takes a session over closes the span of the one that died,
 * which was never sent, under the id that its children already know.
 */
import { takeChosenSpanId } from "@mainspring/contracts";
import { RandomIdGenerator } from "@opentelemetry/sdk-trace";
import type { IdGenerator } from "@opentelemetry/sdk-trace";

export class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return takeChosenSpanId() ?? this.#random.generateSpanId();
  }
}
