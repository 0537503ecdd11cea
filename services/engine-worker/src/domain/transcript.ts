/**
 * The conversation as the model sees it, as a fold over the log: inputs when they are applied, the model's items when
 * they are complete, and the results of a turn in the model's call order once the last of them is committed.
 */
import type { SessionEvent } from "./events.ts";
import type { FunctionCallItem, InputItem, OutputItem, TranscriptItem } from "./items.ts";
import type { Commit } from "./records.ts";

/** What stands for the answer of a caller's function that the caller never gave. */
export const NO_OUTPUT = "No output was given for this call.";

interface TurnCall {
  readonly callId: string;
  output: TranscriptItem | null;
}

export class Transcript {
  readonly items: TranscriptItem[] = [];
  /** Last commit taken in. */
  n = 0;
  readonly #submitted = new Map<string, readonly InputItem[]>();
  #turn: TurnCall[] = [];
  #turnRun: string | undefined;

  apply(commit: Commit): void {
    for (const event of commit.events) this.#applyEvent(event);
    this.n = commit.n;
  }

  #applyEvent(event: SessionEvent): void {
    switch (event.type) {
      case "input.submitted":
        this.#submitted.set(event.data.input_id, event.data.items);
        break;
      case "input.void":
        this.#submitted.delete(event.data.input_id);
        break;
      case "input.applied":
        this.#applyInput(this.#submitted.get(event.data.input_id) ?? []);
        this.#submitted.delete(event.data.input_id);
        break;
      case "model.completed":
        this.#applyOutput(event.data.items);
        this.#turnRun = event.run;
        break;
      case "tool.settled": {
        const call = this.#turn.find((candidate) => candidate.callId === event.data.call_id);
        if (call !== undefined) call.output = outputItem(event.data);
        this.#closeTurn(false);
        break;
      }
      case "run.failed":
      case "run.cancelled":
      case "run.exhausted":
        // A queued run that is cancelled says nothing of the turn under way.
        if (event.run === this.#turnRun) this.#closeTurn(true);
        break;
      default:
        break;
    }
  }

  /** Outputs of the caller's own functions first answer the open turn; what stays open is answered for them. */
  #applyInput(items: readonly InputItem[]): void {
    for (const item of items) {
      const call =
        item.type === "function_call_output" ? this.#turn.find((open) => open.callId === item.call_id) : undefined;
      if (call !== undefined) call.output = item;
    }
    const answered = new Set(this.#turn.map((call) => call.callId));
    this.#closeTurn(true);
    for (const item of items) {
      if (item.type === "function_call_output" && answered.has(item.call_id)) continue;
      this.items.push(item);
    }
  }

  #applyOutput(items: readonly OutputItem[]): void {
    this.items.push(...items);
    this.#turn = items
      .filter((item): item is FunctionCallItem => item.type === "function_call")
      .map((item) => ({ callId: item.call_id, output: null }));
  }

  #closeTurn(force: boolean): void {
    if (this.#turn.length === 0) return;
    if (!force && this.#turn.some((call) => call.output === null)) return;
    for (const call of this.#turn) {
      this.items.push(call.output ?? { type: "function_call_output", call_id: call.callId, output: NO_OUTPUT });
    }
    this.#turn = [];
  }
}

function outputItem(data: { call_id: string; output: string; output_ref?: string }): TranscriptItem {
  const { call_id, output, output_ref } = data;
  return { type: "function_call_output", call_id, output, ...(output_ref === undefined ? {} : { output_ref }) };
}
