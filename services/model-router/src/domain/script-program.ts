/**
 * The language of `offline/script`: directives, one a line, in the last message of the user.
 *
 *     call <tool> [json object]   calls a tool; adjacent calls form one parallel batch
 *     then                        closes the batch: what follows comes after its results
 *     say <text>                  a message
 *     think <text>                a piece of reasoning
 *     wait <ms>                   pauses before the next output
 *     fail <status> [times]       the provider call fails with this HTTP status (times: so often, then it goes on)
 *
 * How turns are cut. Everything from the start, or from the last batch, up to and including the next batch of calls is
 * one model turn, since the loop runs the tools before it asks the model again. A batch is closed by whatever is not
 * an adjacent `call`; `then` serves to part two batches with nothing else between them, and has no effect where no
 * batch is open. What follows the last batch is the last turn, and that ends the run.
 *
 * Lines that begin with no directive are prose and ignored. A text with no directive at all is no program.
 */

/** Longest `wait`, ten minutes. */
export const WAIT_MS_MAX = 600_000;
/** Most directives of one message. */
export const DIRECTIVES_MAX = 10_000;
export const FAIL_TIMES_MAX = 1_000;

export interface CallStep {
  readonly kind: "call";
  readonly tool: string;
  /** JSON text; may hold `{{result}}`. */
  readonly args: string;
}

export type ScriptStep =
  | CallStep
  | { readonly kind: "say" | "think"; readonly text: string }
  | { readonly kind: "wait"; readonly ms: number }
  /** `times` is null when it never succeeds. `id` tells the directives of one program apart. */
  | { readonly kind: "fail"; readonly status: number; readonly times: number | null; readonly id: number };

export interface ScriptTurn {
  readonly steps: readonly ScriptStep[];
  readonly calls: number;
  /** Calls of all turns before this one. */
  readonly callsBefore: number;
}

export type ScriptProgram =
  | { readonly kind: "none" }
  | { readonly kind: "bad"; readonly problem: string }
  | { readonly kind: "turns"; readonly turns: readonly ScriptTurn[] };

type Directive = ScriptStep | { readonly kind: "then" };

const LINE = /^\s*(call|then|say|think|wait|fail)(?:[ \t]+(.*?))?\s*$/s;
export const RESULT = /\{\{result(?::(\d{1,4}))?\}\}/g;

export function parseProgram(text: string): ScriptProgram {
  const directives: Directive[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const directive = parseDirective(match[1]!, match[2] ?? "", directives.length);
    if (typeof directive === "string") return { kind: "bad", problem: `Line ${index + 1}: ${directive}` };
    directives.push(directive);
    if (directives.length > DIRECTIVES_MAX) {
      return { kind: "bad", problem: `There are more than ${DIRECTIVES_MAX} directives.` };
    }
  }
  return directives.length === 0 ? { kind: "none" } : { kind: "turns", turns: cutTurns(directives) };
}

/** The directive, or a sentence that says what is wrong with it. */
function parseDirective(word: string, rest: string, id: number): Directive | string {
  switch (word) {
    case "then":
      return rest === "" ? { kind: "then" } : "`then` stands alone on its line.";
    case "say":
    case "think":
      return { kind: word, text: rest };
    case "wait":
      return parseWait(rest);
    case "fail":
      return parseFail(rest, id);
    default:
      return parseCall(rest);
  }
}

function parseWait(rest: string): Directive | string {
  const ms = /^\d{1,7}$/.test(rest) ? Number(rest) : Infinity;
  if (ms > WAIT_MS_MAX) return `\`wait\` needs a whole number of milliseconds, at most ${WAIT_MS_MAX}.`;
  return { kind: "wait", ms };
}

function parseFail(rest: string, id: number): Directive | string {
  const [, statusText, timesText] = /^(\d{3})(?:\s+(\d{1,4}))?$/.exec(rest) ?? [];
  const status = Number(statusText);
  const times = timesText === undefined ? null : Number(timesText);
  if (statusText === undefined || status < 400 || status > 599 || (times !== null && times > FAIL_TIMES_MAX)) {
    return `\`fail\` needs an HTTP status from 400 to 599 and, if given, a count of at most ${FAIL_TIMES_MAX}.`;
  }
  return { kind: "fail", status, times, id };
}

function parseCall(rest: string): Directive | string {
  const [, tool, argsText = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
  if (tool === undefined) return "`call` needs the name of a tool and its arguments as a JSON object.";
  const args = argsText === "" ? "{}" : argsText;
  // A result may stand where JSON needs a value: such arguments are JSON only once it is filled in.
  if (!isObjectJson(args) && !isObjectJson(args.replaceAll(RESULT, "0"))) {
    return `the arguments of \`call ${tool}\` are not a JSON object.`;
  }
  return { kind: "call", tool, args };
}

export function isObjectJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function cutTurns(directives: readonly Directive[]): ScriptTurn[] {
  const turns: ScriptTurn[] = [];
  let steps: ScriptStep[] = [];
  let calls = 0;
  let callsBefore = 0;
  const close = (): void => {
    turns.push({ steps, calls, callsBefore });
    callsBefore += calls;
    steps = [];
    calls = 0;
  };
  for (const directive of directives) {
    if (directive.kind !== "call" && calls > 0) close();
    if (directive.kind === "then") continue;
    steps.push(directive);
    if (directive.kind === "call") calls += 1;
  }
  if (steps.length > 0) close();
  return turns;
}
