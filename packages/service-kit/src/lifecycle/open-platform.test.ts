import { expect, test } from "vitest";

import { idsOf } from "./open-platform.ts";

test("a log shows the ids of a job and nothing else of it", () => {
  const ids = { session: "ses_1", run: "run_1", call: "call_1", attempt: 2 };
  expect(idsOf({ ...ids, tenant: "acme", tool: "shell", args: '{"command":"secret"}' })).toEqual(ids);
  expect(idsOf({ session: "ses_1", text: "secret" })).toEqual({ session: "ses_1" });
});
