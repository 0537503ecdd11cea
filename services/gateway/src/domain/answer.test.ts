import { expect, test } from "vitest";

import { Answer } from "./answer.ts";
import type { AnswerPiece } from "./answer.ts";
import { ChatChunks, chatCompletion } from "./chat-completion.ts";
import type { FeedDelta, FeedEvent, FeedItem, RecordedItem } from "./run-feed.ts";

const event = (type: string, data: object, step = 1): FeedItem => ({
  event: { seq: 1, type, at: 5_000, run: "run_1", step, origin: "engine", data: data as FeedEvent["data"] },
});
const requested = (attempt: number, step = 1) => event("model.requested", { attempt }, step);
const delta = (chunk: number, item: number, kind: FeedDelta["kind"], text: string, attempt = 1): FeedItem => ({
  delta: { run: "run_1", step: 1, attempt, chunk, item, kind, offset: 0, text, callId: "", name: "" },
});
const usage = { input_tokens: 3, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 0 };
const completed = (items: readonly RecordedItem[], chunks: readonly (readonly [number, number])[]) =>
  event("model.completed", { items, chunks, usage });
const call = (id: string): RecordedItem => ({ type: "function_call", call_id: id, name: "f", arguments: "{}" });

function take(answer: Answer, ...items: readonly FeedItem[]): AnswerPiece[] {
  return items.flatMap((item) => answer.take(item));
}
const text = (pieces: readonly AnswerPiece[]) => pieces.flatMap((piece) => (piece.kind === "text" ? [piece.text] : []));

test("what was missed of the deltas comes with the completion, once", () => {
  const pieces = take(
    new Answer(),
    requested(1),
    delta(0, 0, "text", "one "),
    delta(2, 0, "text", "three"),
    completed(
      [{ type: "message", text: "one two three" }],
      [
        [0, 4],
        [0, 4],
        [0, 5],
      ],
    ),
  );
  expect(text(pieces)).toEqual(["one ", "two ", "three"]);
  expect(pieces.map((piece) => piece.kind === "text" && piece.opens)).toEqual([true, false, false]);
});

test("a lost attempt is shown and not kept, and a call of it is never told", () => {
  const answer = new Answer();
  const chunks = new ChatChunks({ runId: "run_1", model: "m" }, answer, false);
  const pieces = take(
    answer,
    requested(1),
    delta(0, 0, "text", "lost"),
    delta(1, 1, "arguments", "{}"),
    event("model.abandoned", { attempt: 1, items: [{ type: "message", text: "lost" }, call("a")], chunks: [] }),
    requested(2),
    delta(0, 0, "text", "kept", 2),
    completed([{ type: "message", text: "kept" }, call("b"), call("server")], [[0, 4]]),
    event("run.completed", { finish: "tool_calls", client_calls: ["b"] }),
  );
  expect(text(pieces)).toEqual(["lost", "kept"]);
  const last = pieces.at(-1)!;
  expect(last).toMatchObject({ kind: "ended", end: { calls: [{ id: "b" }], finish: "tool_calls", usage } });
  const shown = pieces.flatMap((piece) => [...chunks.of(piece)]) as { choices: { delta: { content?: string } }[] }[];
  expect(shown.map(({ choices }) => choices[0]!.delta.content ?? "").join("")).toBe("lost\n\nkept");
  const whole = chatCompletion({ runId: "run_1", model: "m" }, answer, last.kind === "ended" ? last.end : never());
  expect(whole).toMatchObject({ created: 5, choices: [{ message: { content: "kept", tool_calls: [{ id: "b" }] } }] });
});

test("usage is that of all turns, and a limit of steps ends like one of length", () => {
  const pieces = take(
    new Answer(),
    requested(1),
    completed([call("a")], []),
    requested(1, 2),
    completed([], []),
    event("run.exhausted", { limit: "steps_max" }),
  );
  expect(pieces.at(-1)).toMatchObject({ end: { finish: "length", calls: [], usage: { input_tokens: 6 } } });
});

test.each([
  ["run.failed", { code: "resource_exhausted", message: "slow down" }, "resource_exhausted"],
  ["run.failed", { code: "who knows", message: "x" }, "internal"],
  ["run.cancelled", { reason: "x" }, "aborted"],
])("%s %j ends with an error", (type, data, code) => {
  expect(take(new Answer(), event(type, data))).toMatchObject([{ end: { error: { code } } }]);
});

function never(): never {
  throw new Error("not reached");
}
