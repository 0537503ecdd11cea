import { describe, expect, test } from "vitest";

import { CHUNKS_MAX, OutputLog } from "./output-log.ts";
import type { ToolCall } from "./state.ts";
import { nextCallCheck } from "./timers.ts";

const KEY = { run: "run_x", step: 1, attempt: 1 };

describe("timers", () => {
  test("look at an overdue call after 5 s, doubling to every 60 s", () => {
    const call = { dispatchedAt: 0 } as ToolCall;
    const seconds: number[] = [];
    for (let after = 0; seconds.length < 7;) {
      after = nextCallCheck(call, after);
      seconds.push(after / 1000);
    }
    expect(seconds).toEqual([5, 15, 35, 75, 135, 195, 255]);
  });

  test("are strictly after the given time, however late that is", () => {
    const call = { dispatchedAt: 0 } as ToolCall;
    expect(nextCallCheck(call, 10_000_000)).toBeGreaterThan(10_000_000);
    expect(nextCallCheck(call, 10_000_000)).toBeLessThanOrEqual(10_060_000);
  });
});

describe("the output log", () => {
  test("numbers pieces densely and remembers how the output was cut", () => {
    const log = new OutputLog(KEY);
    const pieces = [
      ...log.add(0, "text", "Hel", ""),
      ...log.add(0, "text", "lo", ""),
      ...log.add(1, "arguments", "{}", "look"),
    ];
    expect(pieces.map(({ chunk, item, offset, text }) => [chunk, item, offset, text])).toEqual([
      [0, 0, 0, "Hel"],
      [1, 0, 3, "lo"],
      [2, 1, 0, "{}"],
    ]);
    expect(log.chunks).toEqual([
      [0, 3],
      [0, 2],
      [1, 2],
    ]);
  });

  test("sends at the end what was never streamed, and gives calls their derived ids", () => {
    const log = new OutputLog(KEY);
    log.add(0, "text", "Hel", "");
    const { items, pieces } = log.finish([
      { type: "message", role: "assistant", text: "Hello" },
      { type: "function_call", call_id: "theirs", name: "look", arguments: "{}" },
    ]);
    expect(pieces.map(({ text }) => text)).toEqual(["lo", "{}"]);
    expect(items[1]).toMatchObject({ call_id: pieces[1]!.callId });
    expect(pieces[1]!.callId).not.toBe("theirs");
  });

  test("gathers small deltas so that an attempt never has too many pieces", () => {
    const log = new OutputLog(KEY);
    let sent = "";
    for (let count = 0; count < 20_000; count += 1)
      for (const piece of log.add(0, "text", "ab ", "")) sent += piece.text;
    for (const piece of log.finish([{ type: "message", role: "assistant", text: "ab ".repeat(20_000) }]).pieces)
      sent += piece.text;
    expect(sent).toBe("ab ".repeat(20_000));
    expect(log.chunks.length).toBeLessThan(CHUNKS_MAX);
  });

  test("keeps of an interrupted attempt only what was sent", () => {
    const log = new OutputLog(KEY);
    log.add(0, "reasoning", "hm", "");
    log.add(1, "text", "So", "");
    expect(log.partial()).toEqual({
      items: [
        { type: "reasoning", text: "hm" },
        { type: "message", role: "assistant", text: "So" },
      ],
      chunks: [
        [0, 2],
        [1, 2],
      ],
    });
  });
});
