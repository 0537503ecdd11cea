/** The course of the page on the language: every command runs as it is printed, in order, and answers as the page says. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse, type Json } from "@mainspring/kip";
import { TestSpace } from "../testing/space.ts";

const PAGE = fileURLToPath(new URL("../../../../packages/kip/README.md", import.meta.url));

interface Block {
  readonly commands: readonly string[];
  /** What the last command answers, as JSON. */
  readonly answers: RegExp | undefined;
}

function blocksOf(markdown: string): Block[] {
  const blocks = markdown.matchAll(/(?:^<!-- answers: (.+) -->\n\n)?^```kip\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, answers, text = ""]) => ({
    commands: text.split(/;$/m).map((command) => command.trim()),
    answers: answers === undefined ? undefined : new RegExp(answers),
  }));
}

const blocks = blocksOf(readFileSync(PAGE, "utf8"));

test("every command of the course runs in order in a new Space", () => {
  const space = new TestSpace();
  for (const { commands, answers } of blocks) {
    let last: Json = null;
    for (const command of commands) last = space.run(command);
    if (answers !== undefined) expect(JSON.stringify(last), commands.at(-1)).toMatch(answers);
  }
});

test("the course shows every kind of statement", () => {
  const shown = new Set(
    blocks
      .flatMap(({ commands }) => commands.map((command) => parse(command)))
      .flatMap((statement) => (statement.k === "mutate" ? statement.statements.map(({ k }) => k) : [statement.k])),
  );
  const kinds = ["find", "search_command", "define", "create_concept", "create_record", "upsert", "ensure", "assert"];
  const others = [
    "update",
    "transition",
    "retention",
    "merge",
    "purge",
    "purge_payload",
    "describe",
    "list",
    "history",
  ];
  expect([...shown]).toEqual(expect.arrayContaining([...kinds, ...others, "changes", "inspect"]));
  expect(blocks.filter(({ answers }) => answers !== undefined).length).toBeGreaterThan(7);
});
