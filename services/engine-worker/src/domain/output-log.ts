/**
 * The output of one model attempt as it streams: assigns each delta its place (chunk, item, offset) and remembers how
 * the output was cut, so that a later reader gets the same pieces under the same numbers.
 */
import { derivedId } from "@mainspring/kernel";
import type { PartialOutcome } from "./decision.ts";
import type { OutputItem } from "./items.ts";
import { INLINE_CHARS_MAX } from "./items.ts";

/** Most chunks that one attempt is cut into; past half of them deltas are gathered into larger ones. */
export const CHUNKS_MAX = 4096;
/** Size that deltas are gathered to, once half of the chunks are used. */
const GATHERED_CHARS_MIN = 1024;

export interface OutputPiece {
  readonly chunk: number;
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  readonly offset: number;
  readonly text: string;
  readonly callId?: string;
  readonly name?: string;
}

interface OpenItem {
  readonly kind: OutputPiece["kind"];
  readonly name: string;
  text: string;
  /** Characters already sent as pieces. */
  sent: number;
}

export interface AttemptKey {
  readonly run: string;
  readonly step: number;
  readonly attempt: number;
}

/** The id of a call: derived, so that live deltas and the log agree and a replay gives the same. */
export function callIdOf(key: AttemptKey, item: number): string {
  return derivedId("call", key.run, key.step, key.attempt, item);
}

export class OutputLog {
  readonly #key: AttemptKey;
  readonly #items: OpenItem[] = [];
  readonly #chunks: [item: number, length: number][] = [];

  constructor(key: AttemptKey) {
    this.#key = key;
  }

  /** Takes in one delta; the pieces to send now (none while gathering). */
  add(item: number, kind: OutputPiece["kind"], text: string, name: string): OutputPiece[] {
    const pieces: OutputPiece[] = [];
    while (this.#items.length <= item) {
      if (this.#items.length > 0) pieces.push(...this.#flush(this.#items.length - 1));
      this.#items.push({ kind, name, text: "", sent: -1 });
    }
    const open = this.#items[item]!;
    open.text += text;
    const gathering = this.#chunks.length >= CHUNKS_MAX / 2;
    if (open.sent >= 0 && gathering && open.text.length - open.sent < GATHERED_CHARS_MIN) return pieces;
    pieces.push(...this.#flush(item));
    return pieces;
  }

  /** The final items with their role and our call ids, and the pieces that were never sent as deltas. */
  finish(items: readonly OutputItem[]): { readonly items: OutputItem[]; readonly pieces: OutputPiece[] } {
    const pieces: OutputPiece[] = [];
    const final = items.map((item, index) => this.#named(item, index));
    for (const [index, item] of final.entries()) {
      const whole = item.type === "function_call" ? item.arguments : item.text;
      const kind = kindOf(item);
      const sent = this.#items[index]?.text ?? "";
      const rest = whole.startsWith(sent) ? whole.slice(sent.length) : "";
      if (index >= this.#items.length || rest !== "") {
        pieces.push(...this.add(index, kind, rest, item.type === "function_call" ? item.name : ""));
      }
      pieces.push(...this.#flush(index));
    }
    return { items: final, pieces };
  }

  get chunks(): [item: number, length: number][] {
    return this.#chunks;
  }

  /** What readers may have seen so far, cut to what an event may carry. */
  partial(): PartialOutcome {
    let left = INLINE_CHARS_MAX;
    const items = this.#items.map((open, index): OutputItem => {
      const text = open.text.slice(0, Math.max(0, Math.min(open.sent, left)));
      left -= text.length;
      if (open.kind === "text") return { type: "message", role: "assistant", text };
      if (open.kind === "reasoning") return { type: "reasoning", text };
      return { type: "function_call", call_id: callIdOf(this.#key, index), name: open.name, arguments: text };
    });
    return { items, chunks: fit(this.#chunks, items) };
  }

  #named(item: OutputItem, index: number): OutputItem {
    if (item.type === "message") return { ...item, role: "assistant" };
    return item.type === "function_call" ? { ...item, call_id: callIdOf(this.#key, index) } : item;
  }

  #flush(item: number): OutputPiece[] {
    const open = this.#items[item];
    if (open === undefined) return [];
    const first = open.sent < 0;
    const offset = Math.max(0, open.sent);
    const text = open.text.slice(offset);
    if (text === "" && !first) return [];
    open.sent = open.text.length;
    this.#chunks.push([item, text.length]);
    return [
      {
        chunk: this.#chunks.length - 1,
        item,
        kind: open.kind,
        offset,
        text,
        ...(open.kind === "arguments" ? { callId: callIdOf(this.#key, item), name: open.name } : {}),
      },
    ];
  }
}

function kindOf(item: OutputItem): OutputPiece["kind"] {
  if (item.type === "message") return "text";
  return item.type === "reasoning" ? "reasoning" : "arguments";
}

/** Chunks cut to the text that is left of their items. */
function fit(chunks: readonly [number, number][], items: readonly OutputItem[]): [number, number][] {
  const left = items.map((item) => (item.type === "function_call" ? item.arguments.length : item.text.length));
  return chunks.map(([item, length]) => {
    const taken = Math.min(length, left[item] ?? 0);
    left[item] = (left[item] ?? 0) - taken;
    return [item, taken];
  });
}
