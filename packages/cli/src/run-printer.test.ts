import type { EventRow, SessionMessage } from "@mainspring/client";
import { describe, expect, test } from "vitest";

import type { Output } from "./output.ts";
import { RunPrinter } from "./run-printer.ts";

function recorded(): { readonly output: Output; readonly written: { out: string; err: string } } {
  const written = { out: "", err: "" };
  const output: Output = {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    dim: (text) => text,
    columns: 40,
  };
  return { output, written };
}

function delta(text: string, offset: number, more: object = {}): SessionMessage {
  const data = {
    run_id: "run_1",
    step: 1,
    attempt: 1,
    chunk: 0,
    item: 0,
    kind: "text" as const,
    offset,
    text,
    ...more,
  };
  return { event: "delta", data };
}

function event(type: string, data: EventRow["data"], step = 1): SessionMessage {
  return { event: type, data: { seq: 1, type, at: "", run_id: "run_1", step, origin: "engine", data } };
}

const completed = (...items: object[]): SessionMessage => event("model.completed", { attempt: 1, chunk: 0, items });

describe("a run as text", () => {
  test("text is printed once, whether it came in pieces, twice, or only with the completion", () => {
    const { output, written } = recorded();
    const printer = new RunPrinter(output);
    printer.take(delta("Hel", 0));
    printer.take(delta("Hello", 0));
    printer.take(delta("!!", 9));
    printer.take(completed({ type: "message", text: "Hello, you!" }));
    printer.take(event("run.completed", {}));
    expect(written).toEqual({ out: "Hello, you!\n", err: "" });
    expect(printer).toMatchObject({ status: "completed", text: "Hello, you!" });
  });

  test("reasoning and tools go beside it, each on lines of their own, cut to the width", () => {
    const { output, written } = recorded();
    const printer = new RunPrinter(output);
    const args = JSON.stringify({ path: "x".repeat(100) });
    printer.take(delta("hm", 0, { kind: "reasoning" }));
    printer.take(delta("Look:", 0, { item: 1 }));
    printer.take(
      completed(
        { type: "reasoning", text: "hm" },
        { type: "message", text: "Look:" },
        { type: "function_call", call_id: "c", name: "read_file", arguments: args },
      ),
    );
    printer.take(event("tool.dispatched", { call_id: "c", attempt: 1, name: "read_file" }));
    printer.take(event("tool.settled", { call_id: "c", outcome: "unknown", output: "may\nhave run" }));
    expect(written.out).toBe("Look:\n");
    expect(written.err).toBe(`hm\n→ read_file {"path":"${"x".repeat(18)}…\n← read_file unknown: may have run\n`);
  });

  test("an attempt that was interrupted is said to be, and the next one is printed from its beginning", () => {
    const { output, written } = recorded();
    const printer = new RunPrinter(output);
    printer.take(delta("half a", 0));
    printer.take(event("model.abandoned", {}));
    printer.take(delta("whole", 0, { attempt: 2 }));
    printer.take(event("model.completed", { attempt: 2, items: [{ type: "message", text: "whole" }] }));
    expect(written.out).toBe("half a\nwhole\n");
    expect(written.err).toContain("interrupted");
  });

  test.each([
    ["run.failed", { message: "no key", code: "unauthenticated" }, "no key (unauthenticated)"],
    ["run.cancelled", { reason: "" }, "cancelled"],
    ["run.exhausted", { limit: "steps" }, "limit of steps"],
  ])("%s says why", (type, data, said) => {
    const { output, written } = recorded();
    const printer = new RunPrinter(output);
    printer.take(event(type, data));
    expect(written.err).toContain(said);
    expect(printer.status).toBe(type.slice(4));
  });
});
