import { describe, expect, test } from "vitest";

import { evaluate, EXPRESSION_CHARS_MAX } from "./expression.ts";

function valueOf(text: string): number {
  const result = evaluate(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

describe("values", () => {
  test.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["2 ^ 3 ^ 2", 512],
    ["-2 ^ 2", -4],
    ["2 ^ -1", 0.5],
    ["--3 + +4", 7],
    ["7 % 4", 3],
    ["100 / 8 / 5", 2.5],
    ["0.1 + 0.2", 0.3],
    [".5 + 1.", 1.5],
    ["1.5e3 + 2E-1", 1500.2],
    ["sqrt(16) + abs(-3)", 7],
    ["min(3, 1, 2) + max(3, 1, 2)", 4],
    ["round(2.5) + floor(2.9) + ceil(2.1)", 8],
    ["round(3.14159, 2)", 3.14],
    ["log(e)", 1],
    ["log(8, 2)", 3],
    ["exp(0) + sin(0) + cos(0) + tan(0)", 2],
    ["2 * pi", 6.28318530717959],
    ["  1\n+\t1 ", 2],
  ])("%s is %d", (text, value) => {
    expect(valueOf(text)).toBeCloseTo(value, 12);
  });
});

describe("what cannot be computed", () => {
  test.each([
    ["", "missing"],
    ["1 +", "missing"],
    ["1 2", "does not belong"],
    ["(1", '")" is missing'],
    ["1 / 0", "division by zero"],
    ["1 % 0", "division by zero"],
    ["sqrt(-1)", "not a real number"],
    ["9 ^ 9 ^ 9", "too large"],
    ["x + 1", "constants are pi and e"],
    ["toString(1)", "no function"],
    ["constructor", "constants"],
    ["sqrt()", "missing"],
    ["sqrt(1, 2)", "takes"],
    ["1; process.exit()", '";" does not belong'],
    ["`1`", "does not belong"],
    ["(".repeat(1_000), "nested too deeply"],
    ["-".repeat(3_000) + "1 x", "does not belong"],
    ["2^".repeat(1_500) + "1", "nested too deeply"],
    ["1".repeat(EXPRESSION_CHARS_MAX + 1), "longer than"],
  ])("%j is told", (text, problem) => {
    expect(evaluate(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  test("the place is told", () => {
    expect(evaluate("1 + $")).toMatchObject({ at: 5 });
    expect(evaluate("12 / (3 - 3)")).toMatchObject({ at: 4 });
  });
});
