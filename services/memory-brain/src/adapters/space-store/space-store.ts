/** A Space as the rest of the service sees it: requests in, responses out; its threads stay inside. */
import { Worker } from "node:worker_threads";
import { KipError, type KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../app/execute.ts";
import type { Answer, Job, Reply, ThreadData } from "./protocol.ts";

/** Most requests that wait for a thread. Past it a request is refused with `RateLimited`. */
export const QUEUE_MAX = 4096;

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };
type Unnumbered = Job extends infer J ? (J extends Job ? Omit<J, "id"> : never) : never;

class SpaceThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** True while words that this thread committed are not in the index. */
  unindexed = false;
  #lastId = 0;
  #failed: Error | undefined;

  constructor(data: ThreadData) {
    this.#worker = new Worker(new URL("./space-thread.ts", import.meta.url), { workerData: data });
    this.#worker.on("message", ({ answers, unindexed }: Reply) => {
      this.unindexed = unindexed;
      for (const answer of answers) {
        this.#waiting.get(answer.id)?.resolve(answer);
        this.#waiting.delete(answer.id);
      }
      if (this.#waiting.size === 0) this.#worker.unref();
    });
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread ended")));
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    const failure = new KipError(
      "OutcomeUnknown",
      "the thread of the Space ended; look the outcome up by its idempotency key",
      { cause: error },
    );
    for (const waiting of this.#waiting.values()) waiting.reject(failure);
    this.#waiting.clear();
  }

  /** Resolves once the thread has opened its database. */
  ready(): Promise<Answer> {
    return new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
  }

  send(job: Unnumbered): Promise<Answer> {
    if (this.#failed !== undefined)
      return Promise.reject(new KipError("InternalError", "the Space is closed", { cause: this.#failed }));
    if (this.#waiting.size >= QUEUE_MAX) {
      return Promise.reject(
        new KipError("RateLimited", `more than ${QUEUE_MAX} requests wait`, {
          details: { limit: "queue", max: QUEUE_MAX },
        }),
      );
    }
    const id = ++this.#lastId;
    if (this.#waiting.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...job, id });
    });
  }

  async close(): Promise<void> {
    if (this.#failed !== undefined) return;
    await this.send({ k: "close" });
    await this.#worker.terminate();
  }
}

const READING = /^(?:\s|\/\/[^\n]*\n)*(FIND|DESCRIBE|LIST|SEARCH|HISTORY|CHANGES|VERIFY|VALIDATE|EXPORT)\b/i;

/**
 * Whether every operation looks like one that only reads. This only chooses the connection: what a command is, its
 * thread decides from the parsed tree, and the reader's connection cannot write.
 */
function onlyReads(request: unknown): boolean {
  if (typeof request === "string") return READING.test(request);
  const operations = (request as { readonly operations?: unknown } | null)?.operations;
  if (!Array.isArray(operations)) return true;
  return operations.every((operation: unknown) => {
    const command = (operation as { readonly command?: unknown } | null)?.command;
    return typeof command !== "string" || READING.test(command);
  });
}

/** Whether a request may look at the index; it then has to hold everything that was acknowledged. */
function searches(request: unknown): boolean {
  const operations = (request as { readonly operations?: unknown } | null)?.operations;
  const commands: readonly unknown[] = Array.isArray(operations) ? operations : [request];
  return commands.some((operation) => {
    const command =
      typeof operation === "string" ? operation : (operation as { readonly command?: unknown } | null)?.command;
    return typeof command === "string" && /\bSEARCH\b/i.test(command);
  });
}

const responseOf = (answer: Answer): KipResponse => {
  if ("response" in answer) return answer.response;
  if ("error" in answer)
    return {
      kip: "2.0",
      status: answer.error.code === "OutcomeUnknown" ? "outcome_unknown" : "failed",
      results: [],
      error: answer.error,
    };
  return { kip: "2.0", status: "failed", results: [] };
};

export class SpaceStore {
  readonly spaceId: string;
  readonly #writer: SpaceThread;
  readonly #reader: SpaceThread;

  private constructor(spaceId: string, writer: SpaceThread, reader: SpaceThread) {
    this.spaceId = spaceId;
    this.#writer = writer;
    this.#reader = reader;
  }

  /** Opens the Space's file, creating it where it does not exist. `:memory:` keeps it in the writer's thread alone. */
  static async open(file: string, spaceId: string): Promise<SpaceStore> {
    const writer = new SpaceThread({ file, spaceId, role: "writer" });
    await writer.ready();
    if (file === ":memory:") return new SpaceStore(spaceId, writer, writer);
    const reader = new SpaceThread({ file, spaceId, role: "reader" });
    await reader.ready();
    return new SpaceStore(spaceId, writer, reader);
  }

  /** Runs a request. A retained write is committed to the disk before this resolves. */
  async execute(request: unknown, context: RequestContext): Promise<KipResponse> {
    const thread = onlyReads(request) ? this.#reader : this.#writer;
    try {
      if (thread === this.#reader && this.#writer.unindexed && searches(request))
        await this.#writer.send({ k: "flush" });
      return responseOf(await thread.send({ k: "execute", request, context }));
    } catch (error) {
      const { code } = KipError.from(error);
      return {
        kip: "2.0",
        status: code === "OutcomeUnknown" ? "outcome_unknown" : "failed",
        results: [],
        error: KipError.from(error).toObject(),
      };
    }
  }

  /** Declares that a draft symbol is another one; old data match with new. */
  async promote(
    kind: "ConceptType" | "PredicateType",
    from: string,
    to: string,
    context: RequestContext,
  ): Promise<unknown> {
    const answer = await this.#writer.send({ k: "promote", kind, from, to, context });
    if ("error" in answer) throw KipError.fromObject(answer.error);
    return "value" in answer ? answer.value : undefined;
  }

  async close(): Promise<void> {
    if (this.#reader !== this.#writer) await this.#reader.close();
    await this.#writer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
