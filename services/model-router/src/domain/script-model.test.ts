import { describe, expect, test } from "vitest";

import type { Item } from "./items.ts";
import { nextSteps, NO_RESULT, PIECES_MAX, piecesOf, placeIn, ProgramCache } from "./script-model.ts";
import type { ScriptStep } from "./script-program.ts";

const user = (text: string): Item => ({ type: "message", role: "user", text });
const assistant = (text: string): Item => ({ type: "message", role: "assistant", text });
const call = (id: string): Item => ({ type: "function_call", call_id: id, name: "x", arguments: "{}" });
const output = (id: string, text: string): Item => ({ type: "function_call_output", call_id: id, output: text });

function stepsOf(...items: Item[]): readonly ScriptStep[] {
  return nextSteps(items, placeIn(items), new ProgramCache());
}

describe("finding the place", () => {
  const program = user("call x\ncall x\nthen\ncall x\nsay end");
  const first = [program, call("a"), call("b"), output("a", "1"), output("b", "2")];

  test("it counts calls after the last message of the user", () => {
    expect(stepsOf(program)).toHaveLength(2);
    expect(stepsOf(...first)).toEqual([{ kind: "call", tool: "x", args: "{}" }]);
    expect(stepsOf(...first, call("c"), output("c", "3"))).toEqual([{ kind: "say", text: "end" }]);
  });

  test("after the last directive it has nothing more to say", () => {
    expect(stepsOf(user("call x"), call("a"), output("a", "1"))).toEqual([]);
  });

  test("what it says and thinks does not move it", () => {
    expect(stepsOf(program, assistant("on my way"), call("a"), call("b"), { type: "reasoning", text: "hm" })).toEqual([
      { kind: "call", tool: "x", args: "{}" },
    ]);
  });

  test("a steering message begins a program of its own", () => {
    expect(stepsOf(...first, user("say changed"))).toEqual([{ kind: "say", text: "changed" }]);
  });

  test("a turn of which only a part is known counts as done", () => {
    expect(stepsOf(program, call("a"), output("a", "1"))).toEqual([{ kind: "call", tool: "x", args: "{}" }]);
  });

  test("a long conversation is no obstacle", () => {
    const items: Item[] = [user(`${"call x\nthen\n".repeat(600)}say end`)];
    for (let k = 0; k < 600; k += 1) items.push(call(`c${k}`), output(`c${k}`, String(k)));
    expect(stepsOf(...items)).toEqual([{ kind: "say", text: "end" }]);
  });
});

describe("without a program", () => {
  test("it says back what the user said, or nothing where nobody spoke", () => {
    expect(stepsOf(assistant("hi"), user("Good morning"))).toEqual([{ kind: "say", text: "Good morning" }]);
    expect(stepsOf()).toEqual([{ kind: "say", text: "" }]);
  });

  test("it answers a bad directive in words", () => {
    const [step] = stepsOf(user("call x {"));
    expect(step).toMatchObject({ kind: "say", text: expect.stringContaining("not a JSON object") });
  });
});

describe("results", () => {
  const before = [call("a"), call("b"), output("b", "two"), output("a", "one")];

  test("the last one, and those of the batch before in the order of its calls", () => {
    const program = user("call x\ncall x\nsay {{result}} {{result:1}} {{result:2}} {{result:3}}");
    expect(stepsOf(program, ...before)).toEqual([{ kind: "say", text: `two one two ${NO_RESULT}` }]);
  });

  test("inside a JSON string they are escaped, outside they are JSON", () => {
    const quote = output("a", 'say "hi"\n');
    expect(stepsOf(user('call x\nthen\ncall y {"deep":[{"s":"<{{result}}>"}]}'), call("a"), quote)).toEqual([
      { kind: "call", tool: "y", args: JSON.stringify({ deep: [{ s: '<say "hi"\n>' }] }) },
    ]);
    expect(stepsOf(user('call x\nthen\ncall y {"n":{{result}}}'), call("a"), output("a", "42"))).toEqual([
      { kind: "call", tool: "y", args: '{"n":42}' },
    ]);
  });

  test("arguments that are no JSON once filled in are answered in words", () => {
    expect(stepsOf(user('call x\nthen\ncall y {"n":{{result}}}'), call("a"), output("a", "oops"))).toEqual([
      { kind: "say", text: expect.stringContaining("cannot call y") },
    ]);
  });

  test("a steering message may name results from before it", () => {
    expect(stepsOf(user("call x"), ...before, user("say got {{result:1}}"))).toEqual([
      { kind: "say", text: "got one" },
    ]);
  });

  test("only the batch before counts, not the one before that", () => {
    const items = [call("a"), output("a", "old"), call("b"), output("b", "new")];
    expect(stepsOf(user("call x\nthen\ncall x\nsay {{result:1}} {{result:2}}"), ...items)).toEqual([
      { kind: "say", text: `new ${NO_RESULT}` },
    ]);
  });
});

describe("pieces", () => {
  test.each(["", " ", "one", "one two", "  lead and trail \n", "a\n\nb\tc", "日本語 の 文"])(
    "of %j join to it",
    (text) => {
      expect(piecesOf(text).join("")).toBe(text);
    },
  );

  test("are words, and bounded in number", () => {
    expect(piecesOf("one two  three")).toEqual(["one", " two", "  three"]);
    const long = "word ".repeat(20_000);
    expect(piecesOf(long).length).toBeLessThanOrEqual(PIECES_MAX);
    expect(piecesOf(long).join("")).toBe(long);
  });
});
