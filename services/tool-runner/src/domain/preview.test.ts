import { expect, test } from "vitest";

import { headAndTail, jsonBytesOf } from "./preview.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test("the true head and the true tail, with the note between them", () => {
  const text = headAndTail(bytesOf(`begin${"-".repeat(100_000)}end`), "cut", 1_000);
  expect(text).toMatch(/^begin-+\n\[… cut …\]\n-+end$/);
  expect(jsonBytesOf(text)).toBeLessThanOrEqual(1_000);
  expect(jsonBytesOf(text)).toBeGreaterThan(900);
});

test.each(["\n", "\u0000", "\u001b", "€", "\ud83d\ude00", '"', "a\n"])("fits when it is made of %j", (part) => {
  const text = headAndTail(bytesOf(`[${part.repeat(50_000)}]`), "cut", 3_000);
  expect(jsonBytesOf(text)).toBeLessThanOrEqual(3_000);
  expect(jsonBytesOf(text)).toBeGreaterThan(1_500);
  expect(text.startsWith("[")).toBe(true);
  expect(text.endsWith("]")).toBe(true);
  expect(text).not.toContain("\uFFFD");
});

test("a note that is longer than all there is is shown alone", () => {
  expect(headAndTail(bytesOf("x".repeat(100)), "n".repeat(50), 10)).toBe(`\n[… ${"n".repeat(50)} …]\n`);
});
