/** Asking before what cannot be undone. */
import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

import { MainspringError } from "@mainspring/kernel";

/** Whether somebody at the terminal says yes. Throws where there is nobody to ask; rejects with the signal's reason. */
export async function confirmed(
  question: string,
  input: Readable & { readonly isTTY?: boolean },
  output: Writable,
  signal: AbortSignal,
): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new MainspringError("invalid_argument", "there is no terminal to ask in: say --yes");
  }
  const asking = createInterface({ input, output });
  const left = new Promise<string>((resolve) => asking.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([asking.question(question, { signal }), left]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    asking.close();
  }
}
