/** Patterns of callers against answers of models: neither is trusted, so a match that takes long is broken off. */
import { createContext, Script } from "node:vm";

import { MainspringError } from "@mainspring/kernel";

/** How long one match may take; the process does nothing else meanwhile. */
export const MATCH_TIMEOUT_MS = 50;

// Only this text runs there, on strings; the context has nothing of this process.
const context = createContext(Object.create(null) as object) as Record<string, unknown>;
const script = new Script("new RegExp(pattern, flags).test(text)");

/** Throws `invalid_argument` for what is no pattern, `deadline_exceeded` when it takes too long. */
export function matchPattern(pattern: string, text: string, ignoreCase: boolean): boolean {
  Object.assign(context, { pattern, text, flags: ignoreCase ? "iu" : "u" });
  try {
    return script.runInContext(context, { timeout: MATCH_TIMEOUT_MS }) === true;
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new MainspringError("deadline_exceeded", `the pattern took longer than ${MATCH_TIMEOUT_MS} ms`, {
        reason: "pattern_too_slow",
      });
    }
    throw new MainspringError("invalid_argument", message, { reason: "invalid_pattern" });
  } finally {
    Object.assign(context, { pattern: "", text: "" });
  }
}
