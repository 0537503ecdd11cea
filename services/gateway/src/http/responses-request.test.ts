import { describe, expect, test } from "vitest";

import { parseResponsesRequest } from "./responses-request.ts";

describe("what is wrong with an input is said", () => {
  test.each([
    [7, "input: is required: a text, or a list of input items"],
    [[{ role: "bogus", content: "x" }], "input.0.role: must be user, assistant, system or developer"],
    [[{ role: "bogus" }], "input.0.role: must be user, assistant, system or developer"],
    [[{ role: "user" }], "input.0.content: must be a text, or a list of content parts"],
    [[{ type: "nonsense" }], "input.0: must be a message, function_call,"],
    [
      [
        { role: "user", content: "x" },
        { type: "function_call_output", call_id: "c", output: 1 },
      ],
      "input.1.output: must be a text",
    ],
    [[{ role: "user", content: [{ type: "nonsense" }] }], "input.0.content.0: must be a part"],
    [[{ role: "user", content: [{ type: "input_text" }] }], "input.0.content.0.text: "],
  ])("%j", (input, message) => {
    expect(() => parseResponsesRequest({ model: "agent/script", input })).toThrow(message);
  });
});
