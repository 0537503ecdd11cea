import { describe, expect, it } from "vitest";
import { KipError } from "../../../packages/kip/src/kip-error.ts";
import { Corpus } from "../../../packages/kip/src/testing/corpus.ts";
import { Random } from "../../../packages/kip/src/testing/random.ts";
import { parse } from "../../../packages/kip/src/language/parse.ts";
import { print } from "../../../packages/kip/src/language/print.ts";

const SEED = Number(process.env["KIP_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const STATEMENTS = 10_000;

/** A tree without positions, which printing does not keep. */
const bare = (node: unknown): string =>
  JSON.stringify(node, (key, value: unknown) => (key === "at" && typeof value === "number" ? undefined : value));

describe(`round trip and mutation, KIP_SEED=${SEED}`, () => {
  it("parse(print(x)) is x for 10,000 statements of every form", { timeout: 120_000 }, () => {
    const corpus = new Corpus(new Random(SEED));
    const kinds = new Set<string>();
    for (let index = 0; index < STATEMENTS; index++) {
      const text = corpus.statement();
      const tree = parse(text);
      const printed = print(tree);
      if (bare(parse(printed)) !== bare(tree))
        expect.fail(`seed ${SEED}, statement ${index}: ${text}\nprinted: ${printed}`);
      if (print(parse(printed)) !== printed)
        expect.fail(`seed ${SEED}, statement ${index}: printing is not stable: ${printed}`);
      kinds.add(tree.k);
    }
    expect([...kinds].sort()).toEqual(
      [
        "assert",
        "changes",
        "create_concept",
        "create_record",
        "define",
        "describe",
        "ensure",
        "export",
        "find",
        "history",
        "inspect",
        "list",
        "merge",
        "mutate",
        "purge",
        "purge_payload",
        "retention",
        "search_command",
        "transition",
        "update",
        "upsert",
      ].sort(),
    );
  });

  it("10,000 mutated statements are parsed or refused with a KIP error, in bounded time", { timeout: 120_000 }, () => {
    const random = new Random(SEED + 1);
    const corpus = new Corpus(random);
    const noise = [
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ":",
      "?",
      ",",
      "|",
      "-",
      "!",
      "&&",
      "==",
      "\u0000",
      "\ud800",
      "é",
      "1e999",
      "FIND",
      "NOT {",
      "//",
      "\\u12",
    ];
    let refused = 0;
    let slowest = 0;
    for (let index = 0; index < STATEMENTS; index++) {
      let text = corpus.statement();
      for (let edits = 1 + random.below(4); edits > 0; edits--) {
        const at = random.below(text.length + 1);
        const length = random.below(6);
        const insert = random.chance(0.6)
          ? random.pick(noise)
          : text.slice(random.below(text.length), random.below(text.length));
        text = text.slice(0, at) + insert + text.slice(at + length);
      }
      const before = performance.now();
      try {
        const tree = parse(text);
        expect(bare(parse(print(tree)))).toBe(bare(tree));
      } catch (error) {
        if (!(error instanceof KipError))
          throw new Error(`seed ${SEED}, statement ${index}: ${text}`, { cause: error });
        refused++;
      }
      slowest = Math.max(slowest, performance.now() - before);
    }
    expect(refused).toBeGreaterThan(STATEMENTS / 10);
    expect(slowest, `seed ${SEED}`).toBeLessThan(5000);
  });
});
