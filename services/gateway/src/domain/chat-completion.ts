/** An answer as Chat Completions tell it: one object, or chunks that add up to it. */
import type { Answer, AnswerCall, AnswerEnd, AnswerPiece } from "./answer.ts";
import type { ResponseUsage } from "./response-object.ts";
import { textOf } from "./run-feed.ts";

export interface ChatHead {
  readonly runId: string;
  readonly model: string;
}

/** Between the texts of two turns, and after what a lost attempt had shown. */
const PARAGRAPH = "\n\n";

export function chatCompletion(head: ChatHead, answer: Answer, end: AnswerEnd) {
  const textsOf = (type: "message" | "reasoning"): string =>
    answer.items.flatMap((item) => (item.type === type && textOf(item) !== "" ? [textOf(item)] : [])).join(PARAGRAPH);
  const content = textsOf("message");
  const reasoning = textsOf("reasoning");
  return {
    ...base(head, answer, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: content === "" && end.calls.length > 0 ? null : content,
          refusal: null,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(end.calls.length === 0 ? {} : { tool_calls: end.calls.map(toolCall) }),
        },
        logprobs: null,
        finish_reason: end.finish,
      },
    ],
    usage: usageOf(end.usage),
  };
}

/** The chunks of one stream. */
export class ChatChunks {
  readonly #head: ChatHead;
  readonly #answer: Answer;
  readonly #includeUsage: boolean;
  readonly #shown = new Set<string>();
  #begun = false;

  constructor(head: ChatHead, answer: Answer, includeUsage: boolean) {
    this.#head = head;
    this.#answer = answer;
    this.#includeUsage = includeUsage;
  }

  /** Chunks of one piece; an end with an error has none. */
  *of(piece: AnswerPiece): Generator<object> {
    if (piece.kind === "ended") {
      if (piece.end.error === null) yield* this.#end(piece.end);
      return;
    }
    const { kind, opens } = piece;
    const text = opens && this.#shown.has(kind) ? PARAGRAPH + piece.text : piece.text;
    this.#shown.add(kind);
    yield this.#chunk(kind === "text" ? { content: text } : { reasoning_content: text });
  }

  *#end({ finish, calls, usage }: AnswerEnd): Generator<object> {
    for (const [index, call] of calls.entries()) yield this.#chunk({ tool_calls: [{ index, ...toolCall(call) }] });
    yield this.#chunk({}, finish);
    if (this.#includeUsage) yield { ...this.#base(), choices: [], usage: usageOf(usage) };
  }

  #chunk(delta: object, finish: string | null = null): object {
    const role = this.#begun ? {} : { role: "assistant" };
    this.#begun = true;
    const choices = [{ index: 0, delta: { ...role, ...delta }, logprobs: null, finish_reason: finish }];
    return { ...this.#base(), choices, ...(this.#includeUsage ? { usage: null } : {}) };
  }

  #base() {
    return base(this.#head, this.#answer, "chat.completion.chunk");
  }
}

function base({ runId, model }: ChatHead, { startedAt }: Answer, object: string) {
  return { id: runId.replace(/^run_/, "chatcmpl-"), object, created: Math.floor(startedAt / 1000), model };
}

function toolCall({ id, name, arguments: args }: AnswerCall) {
  return { id, type: "function", function: { name, arguments: args } };
}

function usageOf({ input_tokens, cached_input_tokens, output_tokens, reasoning_tokens }: ResponseUsage) {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_input_tokens },
    completion_tokens_details: { reasoning_tokens },
  };
}
