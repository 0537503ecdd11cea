import { evaluate, EXPRESSION_CHARS_MAX } from "../../domain/expression.ts";
import { ToolFailure } from "../../ports/tool.ts";
import type { Tool } from "../../ports/tool.ts";

export const calculatorTool: Tool = {
  name: "calculator",
  description:
    "Computes an arithmetic expression: + - * / % ^ and parentheses, sqrt, abs, min, max, round(x, digits), floor, ceil, " +
    "log(x) or log(x, base), exp, sin, cos, tan (in radians), pi, e. Returns the number.",
  parameters: {
    type: "object",
    properties: {
      expression: { type: "string", minLength: 1, maxLength: EXPRESSION_CHARS_MAX, description: "E.g. `2 * (3 + 4)`." },
    },
    required: ["expression"],
    additionalProperties: false,
  },
  recovery: "replay_safe",
  exclusive: false,
  timeoutMs: 5_000,
  async execute({ expression }) {
    const result = evaluate(expression as string);
    if (!result.ok) throw new ToolFailure(`Cannot compute this: ${result.problem} (at character ${result.at}).`);
    return String(result.value);
  },
};
