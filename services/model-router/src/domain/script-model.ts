/**
 * `offline/script`, the model that needs no key: what it answers is a pure function of the conversation. It finds its
 * place by counting the calls after the last message of the user, so nothing is kept between turns and a take-over by
 * another process goes on where the one before was. A steering message becomes the new last message: its directives,
 * not the rest of those before, are what follows.
 *
 * Failures are the one exception: they leave no trace in a conversation, so whoever runs the steps counts them.
 */
import type { Item, MessageItem } from "./items.ts";
import { isObjectJson, parseProgram, RESULT } from "./script-program.ts";
import type { ScriptProgram, ScriptStep, ScriptTurn } from "./script-program.ts";

/** A text is said in at most this many pieces. */
export const PIECES_MAX = 512;
/** What `{{result}}` stands for where there is none. */
export const NO_RESULT = "(no result)";

export interface ScriptPlace {
  /** Index of the last message of the user, -1 when there is none. */
  readonly userIndex: number;
  /** Calls after it. */
  readonly calls: number;
}

/** Remembers the program of one message, so that a long program is read once a conversation. */
export class ProgramCache {
  #text: string | null = null;
  #program: ScriptProgram = { kind: "none" };

  of(text: string): ScriptProgram {
    if (text !== this.#text) {
      this.#program = parseProgram(text);
      this.#text = text;
    }
    return this.#program;
  }
}

export function placeIn(items: readonly Item[]): ScriptPlace {
  let calls = 0;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]!;
    if (item.type === "function_call") calls += 1;
    else if (item.type === "message" && item.role === "user") return { userIndex: index, calls };
  }
  return { userIndex: -1, calls };
}

/** The steps of the turn that is next, with results filled in. Empty when the program is at its end. */
export function nextSteps(items: readonly Item[], place: ScriptPlace, programs: ProgramCache): readonly ScriptStep[] {
  const text = place.userIndex < 0 ? "" : (items[place.userIndex] as MessageItem).text;
  const program = programs.of(text);
  if (program.kind === "none") return [{ kind: "say", text }];
  if (program.kind === "bad") return [{ kind: "say", text: `offline/script cannot run this. ${program.problem}` }];
  const turn = program.turns[turnAt(program.turns, place.calls)];
  return turn === undefined ? [] : fillIn(turn, items);
}

/** Index of the first turn that comes after so many calls. */
function turnAt(turns: readonly ScriptTurn[], calls: number): number {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]!.callsBefore < calls) low = middle + 1;
    else high = middle;
  }
  return low;
}

function fillIn(turn: ScriptTurn, items: readonly Item[]): readonly ScriptStep[] {
  const results = new Results(items);
  const steps: ScriptStep[] = [];
  for (const step of turn.steps) {
    if (step.kind === "say" || step.kind === "think") steps.push({ kind: step.kind, text: results.inText(step.text) });
    else if (step.kind === "call") {
      const args = results.inJson(step.args);
      if (args === null) {
        const text = `offline/script cannot call ${step.tool}: its arguments are not JSON once the result is filled in.`;
        return [{ kind: "say", text }];
      }
      steps.push({ kind: "call", tool: step.tool, args });
    } else steps.push(step);
  }
  return steps;
}

/** The results that a turn may name. Looked for only when one is named. */
class Results {
  readonly #items: readonly Item[];
  #batch: readonly string[] | null = null;

  constructor(items: readonly Item[]) {
    this.#items = items;
  }

  inText(text: string): string {
    if (!text.includes("{{result")) return text;
    return text.replaceAll(RESULT, (_match, k: string | undefined) => this.#result(k));
  }

  /** Fills in strings of the JSON; a result outside a string is put in as it is. Null: that gives no JSON object. */
  inJson(json: string): string | null {
    if (!json.includes("{{result")) return json;
    if (isObjectJson(json)) {
      return JSON.stringify(
        JSON.parse(json, (_key, value: unknown) => (typeof value === "string" ? this.inText(value) : value)),
      );
    }
    const filled = this.inText(json);
    return isObjectJson(filled) ? filled : null;
  }

  #result(k: string | undefined): string {
    this.#batch ??= lastBatch(this.#items);
    return (k === undefined ? this.#batch.at(-1) : this.#batch[Number(k) - 1]) ?? NO_RESULT;
  }
}

/**
 * Results of the last batch, in the order of its calls. A batch is what one turn called: the calls that no message and
 * no result parts. A turn before that called nothing does not hide it.
 */
function lastBatch(items: readonly Item[]): readonly string[] {
  const outputs = new Map<string, string>();
  const batch: string[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]!;
    if (item.type === "function_call") batch.push(item.call_id);
    else if (batch.length > 0) break;
    else if (item.type === "function_call_output") outputs.set(item.call_id, item.output);
  }
  return batch.toReversed().map((id) => outputs.get(id) ?? NO_RESULT);
}

/** A text in pieces of a word each, or of several where it is long. Together they are the text. */
export function piecesOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === "" ? [] : [text]);
  const perPiece = Math.ceil(words.length / PIECES_MAX);
  if (perPiece <= 1) return words;
  const pieces: string[] = [];
  for (let from = 0; from < words.length; from += perPiece) pieces.push(words.slice(from, from + perPiece).join(""));
  return pieces;
}
