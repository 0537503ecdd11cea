/**
 * A run as text: the model's words on standard output, what surrounds them (reasoning, tools, how it ended) dimmed on
 * standard error. Deltas come first where there are any; a completion brings what they missed.
 */
import type { DeltaRow, EventRow, SessionMessage } from "@mainspring/client";

import { brief } from "./output.ts";
import type { Output } from "./output.ts";

const MARK_WIDTH = 8;

interface RecordedItem {
  readonly type: "message" | "reasoning" | "function_call";
  readonly text?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

export class RunPrinter {
  readonly #output: Output;
  /** Characters of each item of this attempt that were printed. */
  #printed = new Map<number, number>();
  #attempt = "";
  readonly #calls = new Map<string, { readonly name: string; readonly args: string }>();
  /** Where the last character went, and whether it ended a line. */
  #open: "out" | "err" | null = null;
  /** Terminal status, empty while the run goes on. */
  status = "";
  /** Text of the last step that had any. */
  text = "";

  constructor(output: Output) {
    this.#output = output;
  }

  take({ event, data }: SessionMessage): void {
    if (event === "delta") this.#delta(data as DeltaRow);
    else if (event !== "caught_up") this.#event(data as EventRow);
  }

  /** A sentence of the command itself, on a line of its own. */
  note(sentence: string): void {
    this.#endLine();
    this.#output.err(`${this.#output.dim(sentence)}\n`);
  }

  #delta({ step, attempt, item, kind, offset, text }: DeltaRow): void {
    if (kind === "arguments") return;
    this.#begin(step, attempt);
    const seen = this.#printed.get(item) ?? 0;
    // A gap is filled by the completion, in order.
    if (offset > seen) return;
    this.#print(item, kind, text.slice(seen - offset));
  }

  #begin(step: number, attempt: number): void {
    const name = `${step}/${attempt}`;
    if (name === this.#attempt) return;
    this.#attempt = name;
    this.#printed = new Map();
  }

  #print(item: number, kind: "text" | "reasoning", text: string): void {
    if (text === "") return;
    const before = this.#printed.get(item) ?? 0;
    const target = kind === "text" ? "out" : "err";
    if (before === 0 || this.#open !== target) this.#endLine();
    this.#printed.set(item, before + text.length);
    this.#output[target](kind === "text" ? text : this.#output.dim(text));
    this.#open = text.endsWith("\n") ? null : target;
  }

  #endLine(): void {
    if (this.#open !== null) this.#output[this.#open]("\n");
    this.#open = null;
  }

  #event({ type, step = 0, data }: EventRow): void {
    switch (type) {
      case "model.completed":
        return this.#completed(step, data);
      case "model.abandoned":
        return this.note("(the model's turn was interrupted; it begins again)");
      case "model.failed":
        return this.note(`(the model failed: ${String(data["message"])})`);
      case "tool.dispatched":
        return this.#dispatched(data);
      case "tool.settled":
        return this.#settled(data);
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
      case "run.exhausted":
        return this.#ended(type, data);
      default:
        return undefined;
    }
  }

  #completed(step: number, data: EventRow["data"]): void {
    this.#begin(step, Number(data["attempt"]));
    const items = data["items"] as readonly RecordedItem[];
    for (const [index, item] of items.entries()) {
      if (item.type === "function_call") {
        this.#calls.set(item.call_id ?? "", { name: item.name ?? "", args: item.arguments ?? "" });
        continue;
      }
      const kind = item.type === "message" ? "text" : "reasoning";
      this.#print(index, kind, (item.text ?? "").slice(this.#printed.get(index) ?? 0));
    }
    this.#endLine();
    const text = items.filter(({ type }) => type === "message").map((item) => item.text ?? "");
    if (text.length > 0) this.text = text.join("");
  }

  #dispatched(data: EventRow["data"]): void {
    const call = this.#calls.get(String(data["call_id"]));
    const again = Number(data["attempt"]) > 1 ? ` (attempt ${String(data["attempt"])})` : "";
    const head = `→ ${String(data["name"])}${again} `;
    this.note(head + brief(call?.args ?? "", this.#output.columns - head.length));
  }

  #settled(data: EventRow["data"]): void {
    const name = this.#calls.get(String(data["call_id"]))?.name ?? "";
    const outcome = String(data["outcome"]);
    const head = `← ${name}${outcome === "completed" ? "" : ` ${outcome}`}: `;
    this.note(head + brief(String(data["output"]), Math.max(MARK_WIDTH, this.#output.columns - head.length)));
  }

  #ended(type: string, data: EventRow["data"]): void {
    this.#endLine();
    this.status = type.slice("run.".length);
    if (this.status === "failed") this.note(`the run failed: ${String(data["message"])} (${String(data["code"])})`);
    if (this.status === "cancelled") this.note("the run was cancelled");
    if (this.status === "exhausted") this.note(`the run reached its limit of ${String(data["limit"])}`);
  }
}
