import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { confirmed } from "./confirmed.ts";

const never = new AbortController().signal;

function terminal(): PassThrough & { isTTY: boolean } {
  return Object.assign(new PassThrough(), { isTTY: true });
}

test.each([
  ["y\n", true],
  ["Yes\n", true],
  ["n\n", false],
  ["\n", false],
  ["yesterday\n", false],
])("%j is %s", async (line, expected) => {
  const [input, output] = [terminal(), new PassThrough()];
  const asked = confirmed("Sure? ", input, output, never);
  input.write(line);
  expect(await asked).toBe(expected);
  expect(String(output.read())).toContain("Sure? ");
});

test("an input that ends is no", async () => {
  const input = terminal();
  const asked = confirmed("Sure? ", input, new PassThrough(), never);
  input.end();
  expect(await asked).toBe(false);
});

test("nobody is asked where there is no terminal", async () => {
  await expect(confirmed("Sure? ", new PassThrough(), new PassThrough(), never)).rejects.toThrow("--yes");
});

test("an interrupt ends the question", async () => {
  const interrupt = new AbortController();
  const asked = confirmed("Sure? ", terminal(), new PassThrough(), interrupt.signal);
  interrupt.abort(new Error("interrupted"));
  await expect(asked).rejects.toThrow("interrupted");
});
