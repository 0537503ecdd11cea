import { expect, test } from "vitest";
import { z } from "zod";

import { readConfig } from "./config.ts";
import { UNKNOWN_NAMED_MAX, unknownVariables } from "./unknown-variables.ts";

test("a misspelt variable is named with the one that was probably meant, and never with its value", () => {
  const sentences = unknownVariables({ MAINSPRING_MONGO_URI: "mongodb://me:hidden@host", mainspring_auth: "off" });
  expect(sentences).toEqual([
    "MAINSPRING_MONGO_URI is no variable that anything reads: is MAINSPRING_MONGO_URL meant?",
    "mainspring_auth is no variable that anything reads: is MAINSPRING_AUTH meant?",
  ]);
});

test("one that is like no other is named alone", () => {
  expect(unknownVariables({ MAINSPRING_ZEBRA_CROSSING_WIDTH: "1" })).toEqual([
    "MAINSPRING_ZEBRA_CROSSING_WIDTH is no variable that anything reads.",
  ]);
});

test("variables of any service, and those of others, pass", () => {
  expect(unknownVariables({ MAINSPRING_MEMORY_SHARD: "1", MAINSPRING_URL: "x", PORT: "1", PATHS: "" })).toEqual([]);
});

test("of many only so many are named", () => {
  const many = Object.fromEntries(Array.from({ length: UNKNOWN_NAMED_MAX + 3 }, (_, n) => [`MAINSPRING_X${n}`, "1"]));
  const sentences = unknownVariables(many);
  expect(sentences).toHaveLength(UNKNOWN_NAMED_MAX + 1);
  expect(sentences.at(-1)).toBe("3 further variables MAINSPRING_… are known to nothing.");
});

test("a configuration that is wrong says so too: the missing one may be the misspelt one", () => {
  const variables = { url: { name: "MAINSPRING_MONGO_URL", description: "", schema: z.string("where is it") } };
  expect(() => readConfig(variables, { MAINSPRING_MONGO_URI: "hidden" })).toThrow(
    /^MAINSPRING_MONGO_URL .* is missing: where is it\.\nMAINSPRING_MONGO_URI is no variable .*MAINSPRING_MONGO_URL meant\?$/,
  );
});
