import { expect, test } from "vitest";

import { INLINE_CHARS_MAX } from "../domain/items.ts";
import type { TranscriptItem } from "../domain/items.ts";
import type { ContentStore } from "../ports/content-store.ts";
import { externaliseItems, hydrateItems } from "./content.ts";

function memory(): ContentStore {
  const texts = new Map<string, string>();
  return {
    put: async (tenant, text) => {
      const digest = `d${texts.size}`;
      texts.set(`${tenant}/${digest}`, text);
      return digest;
    },
    get: async (tenant, digest) => texts.get(`${tenant}/${digest}`) ?? null,
  };
}

test("large texts come back as they were", async () => {
  const content = memory();
  const items: TranscriptItem[] = [
    { type: "message", role: "user", text: "x".repeat(INLINE_CHARS_MAX + 1) },
    { type: "function_call", call_id: "c", name: "f", arguments: "y".repeat(INLINE_CHARS_MAX + 1) },
    { type: "reasoning", text: "short" },
  ];
  const kept = await externaliseItems(content, "acme", items);
  expect(kept.map((item) => JSON.stringify(item).length < 200)).toEqual([true, true, true]);
  expect(await hydrateItems(content, "acme", kept)).toEqual(items);
});

test("of a tool's output that was too long the model sees the part that the tool-runner chose", async () => {
  const content = memory();
  const digest = await content.put("acme", "all of it");
  const item: TranscriptItem = { type: "function_call_output", call_id: "c", output: "a part", output_ref: digest };
  expect(await hydrateItems(content, "acme", [item])).toEqual([
    { type: "function_call_output", call_id: "c", output: "a part" },
  ]);
});

test("a text that is gone is a loss of data", async () => {
  const item: TranscriptItem = { type: "message", role: "user", text: "", text_ref: "gone" };
  await expect(hydrateItems(memory(), "acme", [item])).rejects.toMatchObject({ code: "data_loss" });
});
