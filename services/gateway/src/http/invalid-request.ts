/** What is wrong with a body, as the error that its sender gets. */
import { MainspringError } from "@mainspring/kernel";
import type { z } from "zod";

/** Reads a body of a compatible route. Throws `invalid_argument` that names the field at fault. */
export function parseBody<T>(schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { path, message } = meant(parsed.error.issues[0]!);
  const param = path.map(String).join(".");
  throw invalidRequest(param, `${param === "" ? "the request body" : param}: ${message}`);
}

export function invalidRequest(param: string, message: string, reason = "invalid_request"): MainspringError {
  return new MainspringError("invalid_argument", message, { param, reason });
}

/** A union hides the reason in its branches: the one meant has the right `type`, and got further than the union. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const branch = issue.errors.find(
    (issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0 && path[0] !== "type"),
  );
  if (branch === undefined) return issue;
  const inner = meant(branch[0]!);
  return { ...inner, path: [...issue.path, ...inner.path] };
}
