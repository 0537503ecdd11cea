import { expect, test } from "vitest";

import { extractiveStep } from "./extractive-model.ts";
import type { Item } from "./items.ts";

const TOOLS = ["calculator", "memory_recall", "memory_remember"];
const user = (text: string): Item => ({ type: "message", role: "user", text });
const call: Item = { type: "function_call", call_id: "c", name: "memory_recall", arguments: "{}" };
const result = (value: unknown): Item => ({
  type: "function_call_output",
  call_id: "c",
  output: typeof value === "string" ? value : JSON.stringify(value),
});
const memory = (text: string, entity: string) => ({ entity, type: "Evidence", name: "", text });
const said = (items: readonly Item[], tools = TOOLS): string => {
  const step = extractiveStep(items, tools);
  return step.kind === "say" ? step.text : `${step.tool} ${step.args}`;
};

test("a question is looked up, once", () => {
  expect(said([user("Where does Ana live?")])).toBe('memory_recall {"query":"Where does Ana live?"}');
});

test("the best passages are said with what they come from, others are left out", () => {
  const memories = [
    memory("Bob likes tea. Ana moved to Lisbon in May. Ana lives there with Rui.", "E-1"),
    memory("The weather was fine.", "E-2"),
  ];
  expect(said([user("Where does Ana live?"), call, result({ found: true, memories })])).toBe(
    "- Ana lives there with Rui. [E-1]\n- Ana moved to Lisbon in May. [E-1]",
  );
});

test("nothing found is said, and so is a memory that cannot answer", () => {
  expect(said([user("Where is Ana?"), call, result({ found: false, memories: [] })])).toContain("found nothing");
  expect(said([user("Where is Ana?"), call, result("There is no Space notes.")])).toBe(
    "I could not look into my memory. There is no Space notes.",
  );
});

test("without a memory it answers from what was said before", () => {
  const before: Item[] = [
    user("Ana lives in Lisbon. She is a pilot."),
    { type: "message", role: "assistant", text: "Ana?" },
  ];
  expect(said([...before, user("Where does Ana live?")], [])).toBe("- Ana lives in Lisbon. [said by user]");
  expect(said([user("Where does Ana live?")], [])).toContain("found nothing");
});

test("what begins with remember is kept", () => {
  expect(said([user("Remember that Ana lives in Lisbon.")])).toBe('memory_remember {"text":"Ana lives in Lisbon."}');
  expect(said([user("remember: tea")])).toBe('memory_remember {"text":"tea"}');
  const kept = [user("Remember: tea"), call, result({ remembered: true, entities: ["E-7"] })];
  expect(said(kept)).toBe("I will remember that. [E-7]");
  expect(said([user("Remember: tea"), call, result("The memory is full.")])).toContain("could not keep");
  expect(said([user("remember: tea")], [])).toContain("no memory");
});

test("only what follows the last question counts", () => {
  const first = [user("Where is Ana?"), call, result({ memories: [memory("Ana is here.", "E-1")] })];
  expect(said([...first, user("Where is Bob?")])).toContain("memory_recall");
  expect(said([])).toContain("Ask me");
});
