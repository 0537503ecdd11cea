import { Seeded } from "@mainspring/testkit";
import { describe, expect, test } from "vitest";

import { ATTEMPT_STRIDE, ResponseStream } from "./response-stream.ts";
import type { ResponseEvent } from "./response-stream.ts";
import type { FeedDelta, FeedEvent, FeedItem, RecordedItem } from "./run-feed.ts";
import { kindOf, textOf } from "./run-feed.ts";

const RUN = `run_${"a".repeat(48)}`;

/** A run as the engine would tell it live: deltas between the events. `lose` drops some deltas on the way. */
class Story {
  readonly live: FeedItem[] = [];
  readonly log: FeedItem[] = [];
  #seq = 1_000;

  event(type: string, data: Record<string, unknown>, step = 0): void {
    this.#seq += 1;
    const event: FeedEvent = { seq: this.#seq, type, at: 5_000, run: RUN, step, origin: "engine", data };
    this.live.push({ event });
    this.log.push({ event });
  }

  attempt(step: number, attempt: number, items: RecordedItem[], end: string, rng: Seeded, lose = 0): void {
    this.event("model.requested", { attempt }, step);
    const chunks: [number, number][] = [];
    for (const [item, recorded] of items.entries()) {
      const text = textOf(recorded);
      let offset = 0;
      do {
        const length = Math.min(text.length - offset, 1 + rng.int(6));
        const delta: FeedDelta = {
          run: RUN,
          step,
          attempt,
          chunk: chunks.length,
          item,
          kind: kindOf(recorded),
          offset,
          text: text.slice(offset, offset + length),
          callId: recorded.call_id ?? "",
          name: recorded.name ?? "",
        };
        chunks.push([item, length]);
        offset += length;
        if (!rng.chance(lose)) this.live.push({ delta });
      } while (offset < text.length);
    }
    const usage = { input_tokens: 3, cached_input_tokens: 0, output_tokens: 4, reasoning_tokens: 0 };
    this.event(end, { attempt, items, chunks, usage, finish: "stop" }, step);
  }
}

function play(items: readonly FeedItem[]): { events: ResponseEvent[]; stream: ResponseStream } {
  const stream = new ResponseStream(RUN, 5_000, { model: "agent/script" }, ["mine"]);
  const events = items.flatMap((item) => {
    if ("event" in item) return stream.takeEvent(item.event);
    return "delta" in item ? stream.takeDelta(item.delta) : [];
  });
  return { events, stream };
}

function story(seed: number, lose: number): Story {
  const rng = new Seeded(seed);
  const tale = new Story();
  tale.event("run.queued", {});
  tale.event("run.started", {});
  const rounds = 1 + rng.int(3);
  for (let step = 1; step <= rounds; step += 1) {
    const calls: RecordedItem[] = Array.from({ length: rng.int(3) }, (_, index) => ({
      type: "function_call",
      call_id: `call_${step}_${index}`,
      name: rng.pick(["look", "mine"]),
      arguments: rng.pick(["{}", '{"path":"a/b"}']),
    }));
    const thinks: RecordedItem[] = rng.chance(0.5) ? [{ type: "reasoning", text: "let me think about it" }] : [];
    const says: RecordedItem[] = rng.chance(0.8)
      ? [{ type: "message", text: "a longer answer in several pieces" }]
      : [];
    if (rng.chance(0.3)) tale.attempt(step, 1, says, "model.abandoned", rng, lose);
    tale.attempt(step, 2, [...thinks, ...says, ...calls], "model.completed", rng, lose);
    for (const call of calls.filter(({ name }) => name === "look")) {
      tale.event(
        "tool.settled",
        { call_id: call.call_id, outcome: rng.pick(["completed", "failed"]), output: "done" },
        step,
      );
    }
  }
  tale.event("run.completed", { finish: "stop", client_calls: [] });
  return tale;
}

describe("a response stream", () => {
  test("replays with the same pieces under the same numbers, whatever was lost on the way", () => {
    const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
    for (let index = 0; index < 200; index += 1) {
      const { live, log } = story(seed + index, index % 2 === 0 ? 0 : 0.3);
      const first = play(live).events;
      expect(play(log).events, `SEED=${seed + index}`).toEqual(first);
      const numbers = first.map((event) => event.sequence_number);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    }
  });

  test("opens and closes every item, deltas in between, and ends with the whole", () => {
    const { events, stream } = play(story(7, 0).live);
    const open = new Map<string, string>();
    for (const event of events) {
      const item = event["item"] as { id: string } | undefined;
      if (event.type === "response.output_item.added") open.set(item!.id, "");
      else if (event.type === "response.output_item.done") open.delete(item!.id);
      else if (event.type.endsWith(".delta")) expect(open.has(String(event["item_id"]))).toBe(true);
    }
    expect([...open]).toEqual([]);
    expect(events[0]!.type).toBe("response.created");
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    expect(stream.response.output.length).toBeGreaterThan(0);
    expect(stream.response.usage!.total_tokens).toBeGreaterThan(0);
  });

  test("closes what was seen of an abandoned attempt and never uses its numbers again", () => {
    const rng = new Seeded(1);
    const tale = new Story();
    tale.event("run.queued", {});
    tale.event("run.started", {});
    tale.attempt(1, 1, [{ type: "message", text: "half an ans" }], "model.abandoned", rng);
    tale.attempt(1, 2, [{ type: "message", text: "the answer" }], "model.completed", rng);
    tale.event("run.completed", { finish: "stop", client_calls: [] });
    const { events, stream } = play(tale.live);
    expect(stream.response.output.map((item) => item.status)).toEqual(["incomplete", "completed"]);
    const done = events.filter((event) => event.type === "response.output_item.done");
    expect(done.map((event) => event["output_index"])).toEqual([0, 1]);
    const second = events.find((event) => event.type === "response.output_item.added" && event["output_index"] === 1)!;
    expect(second.sequence_number).toBeGreaterThanOrEqual(ATTEMPT_STRIDE);
  });

  test("shows server calls with their results and leaves the caller's calls to the caller", () => {
    const rng = new Seeded(1);
    const tale = new Story();
    tale.event("run.queued", {});
    const calls: RecordedItem[] = [
      { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "mine", arguments: "{}" },
    ];
    tale.attempt(1, 1, calls, "model.completed", rng);
    tale.event("tool.settled", { call_id: "c1", outcome: "unknown", output: "may have run" }, 1);
    tale.event("run.completed", { finish: "tool_calls", client_calls: ["c2"] });
    const { stream } = play(tale.log);
    expect(stream.response.output).toMatchObject([
      { type: "mcp_call", status: "failed", error: "may have run", output: null },
      { type: "function_call", status: "completed", call_id: "c2", name: "mine" },
    ]);
  });

  test("tells how it ended", () => {
    const end = (type: string, data: Record<string, unknown>) => {
      const tale = new Story();
      tale.event("run.queued", {});
      tale.event(type, data);
      return play(tale.log);
    };
    expect(end("run.failed", { code: "invalid_argument", message: "no" }).events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "invalid_prompt", message: "no" } },
    });
    expect(end("run.cancelled", { reason: "x" }).stream.response.status).toBe("cancelled");
    expect(end("run.completed", { finish: "length" }).stream.response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });
});
