import { describe, expect, test } from "vitest";

import { DIRECTIVES_MAX, FAIL_TIMES_MAX, parseProgram, WAIT_MS_MAX } from "./script-program.ts";
import type { ScriptTurn } from "./script-program.ts";

function turnsOf(text: string): readonly ScriptTurn[] {
  const program = parseProgram(text);
  if (program.kind !== "turns") throw new Error(`no program: ${JSON.stringify(program)}`);
  return program.turns;
}

/** Each turn as the kinds of its steps. */
function shape(text: string): string[] {
  return turnsOf(text).map(({ steps }) => steps.map((step) => step.kind).join(" "));
}

describe("cutting turns", () => {
  test("adjacent calls are one batch, and what comes before them belongs to their turn", () => {
    expect(shape('think a\nsay b\ncall x {}\ncall y {"n":1}\nsay c')).toEqual(["think say call call", "say"]);
  });

  test("`then` parts two batches", () => {
    expect(shape("call x\nthen\ncall y\nthen\nsay done")).toEqual(["call", "call", "say"]);
  });

  test("any directive that is not a call closes the batch", () => {
    expect(shape("call x\nwait 5\ncall y\nfail 500\ncall z")).toEqual(["call", "wait call", "fail call"]);
  });

  test("`then` without a batch before it has no effect", () => {
    expect(shape("say a\nthen\nsay b\nthen")).toEqual(["say say"]);
    expect(parseProgram("then")).toEqual({ kind: "turns", turns: [] });
  });

  test("turns count the calls before them", () => {
    expect(turnsOf("call a\ncall b\nthen\ncall c\nsay d").map(({ callsBefore }) => callsBefore)).toEqual([0, 2, 3]);
  });
});

describe("reading lines", () => {
  test("a text without directives is no program", () => {
    expect(parseProgram("Hello there.\nHow are you?")).toEqual({ kind: "none" });
    expect(parseProgram("Callers saying things, thinking")).toEqual({ kind: "none" });
  });

  test("prose, blank lines, indentation and line ends of both kinds do not disturb", () => {
    expect(shape("Please do this:\r\n\r\n  call x {}\r\n\tsay ok\r\n")).toEqual(["call", "say"]);
  });

  test("a call without arguments has none, and a text keeps what it holds", () => {
    expect(turnsOf("call x")[0]?.steps).toEqual([{ kind: "call", tool: "x", args: "{}" }]);
    expect(turnsOf("say  two  words ")[0]?.steps).toEqual([{ kind: "say", text: "two  words" }]);
    expect(turnsOf("say")[0]?.steps).toEqual([{ kind: "say", text: "" }]);
  });

  test("a result may stand where JSON needs a value", () => {
    expect(shape('call x {"n": {{result}}, "s": "{{result:2}}"}')).toEqual(["call"]);
  });

  test.each([
    ["call", "name of a tool"],
    ["call x {", "not a JSON object"],
    ["call x [1]", "not a JSON object"],
    ["call me maybe", "not a JSON object"],
    ["say a\nwait soon", "Line 2"],
    [`wait ${WAIT_MS_MAX + 1}`, "milliseconds"],
    ["wait -1", "milliseconds"],
    ["fail", "HTTP status"],
    ["fail 200", "HTTP status"],
    [`fail 500 ${FAIL_TIMES_MAX + 1}`, "HTTP status"],
    ["fail 500 x", "HTTP status"],
    ["then go", "stands alone"],
  ])("%j is refused with a reason", (text, reason) => {
    const program = parseProgram(text);
    expect(program.kind).toBe("bad");
    expect(program.kind === "bad" && program.problem).toContain(reason);
  });

  test("there is a limit on directives", () => {
    expect(parseProgram("say a\n".repeat(DIRECTIVES_MAX)).kind).toBe("turns");
    expect(parseProgram("say a\n".repeat(DIRECTIVES_MAX + 1)).kind).toBe("bad");
  });
});
