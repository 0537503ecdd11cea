/** Whether an answer is what a task expects. */
import type { Task } from "./experiment.ts";

/** Matches a pattern in a text; rejects with what the attempt's error says when that cannot be told. */
export type MatchPattern = (pattern: string, text: string, ignoreCase: boolean) => Promise<boolean>;

export async function passes(
  { verify, expected }: Pick<Task, "verify" | "expected">,
  text: string,
  matches: MatchPattern,
): Promise<boolean> {
  const answer = verify.trim ? text.trim() : text;
  if (verify.type === "regex") return matches(expected, answer, verify.ignoreCase);
  const wanted = verify.trim ? expected.trim() : expected;
  return verify.ignoreCase ? folded(answer) === folded(wanted) : answer === wanted;
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
