import { expect, test } from "vitest";

import { stopMessage, stopRequestOf, toolJobOf } from "./tool-job.ts";

const JOB = { session: "s", run: "r", call: "c", attempt: 1, tenant: "", tool: "t", trace: "", holder: "w", k: 3 };

test("a job is read as it was written; hints may be missing", () => {
  expect(toolJobOf({ ...JOB, args: "{}" })).toEqual({ ...JOB, args: "{}" });
  const { holder, k, trace, ...bare } = JOB;
  expect([holder, k, trace]).toEqual(["w", 3, ""]);
  expect(toolJobOf(bare)).toEqual({ ...JOB, holder: "", k: 0 });
});

test.each(["session", "run", "call", "attempt", "tenant", "tool"])("a job without its %s is refused", (part) => {
  const { [part]: _left, ...rest } = JOB as Record<string, string | number>;
  expect(() => toolJobOf(rest)).toThrow(part);
});

test("a stop request survives its journey, and nothing else passes for one", () => {
  const key = { session: "s", call: "c", attempt: 2 };
  expect(stopRequestOf(stopMessage(key))).toEqual(key);
  for (const message of ["", "{", "null", "{}", '{"session":"s","call":"c","attempt":"2"}']) {
    expect(stopRequestOf(message)).toBeNull();
  }
});
