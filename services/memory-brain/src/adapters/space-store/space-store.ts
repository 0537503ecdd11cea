/** A Space as the rest of the service sees it: requests in, responses out; its threads stay inside. */
import { Worker } from "node:worker_threads";
import { KipError, type JsonObject, type KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../app/execute.ts";
import { searchesSpace, writesSpace } from "../../app/space/calls.ts";
import type { CallInput, CallOutput, SpaceCall } from "../../app/space/calls.ts";
import type { SpaceHandle } from "../../app/space/space-handle.ts";
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
  readonly #ended = Promise.withResolvers<void>();

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

  /** Resolves when the thread has ended, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    this.#ended.resolve();
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

const valueOf = (answer: Answer): unknown => {
  if ("error" in answer) throw KipError.fromObject(answer.error);
  return "value" in answer ? answer.value : undefined;
};

export class SpaceStore implements SpaceHandle {
  readonly spaceId: string;
  readonly #file: string;
  readonly #writer: SpaceThread;
  readonly #reader: SpaceThread;

  private constructor(file: string, spaceId: string, writer: SpaceThread, reader: SpaceThread) {
    this.#file = file;
    this.spaceId = spaceId;
    this.#writer = writer;
    this.#reader = reader;
  }

  /** Opens the Space's file, creating it where it does not exist. `:memory:` keeps it in the writer's thread alone. */
  static async open(file: string, spaceId: string): Promise<SpaceStore> {
    const writer = new SpaceThread({ file, spaceId, role: "writer" });
    await writer.ready();
    if (file === ":memory:") return new SpaceStore(file, spaceId, writer, writer);
    const reader = new SpaceThread({ file, spaceId, role: "reader" });
    await reader.ready();
    return new SpaceStore(file, spaceId, writer, reader);
  }

  /** Runs a request. A retained write is committed to the disk before this resolves. */
  async execute(request: unknown, context: RequestContext): Promise<KipResponse> {
    const thread = onlyReads(request) ? this.#reader : this.#writer;
    try {
      if (thread === this.#reader && this.#writer.unindexed && searches(request)) await this.flush();
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
    return valueOf(await this.#writer.send({ k: "promote", kind, from, to, context }));
  }

  /** Runs a call by name. What it wrote is committed to the disk before this resolves. */
  async call<K extends SpaceCall>(name: K, input: CallInput<K>, context: RequestContext): Promise<CallOutput<K>> {
    const thread = writesSpace(name) ? this.#writer : this.#reader;
    if (thread !== this.#writer && this.#writer.unindexed && searchesSpace(name)) await this.flush();
    return valueOf(await thread.send({ k: "call", name, input, context })) as CallOutput<K>;
  }

  /** Indexes what was committed and is not indexed yet. */
  async flush(): Promise<void> {
    await this.#writer.send({ k: "flush" });
  }

  /** The whole Space as it is now, in frames of at most 1 MiB. */
  async *dump(about: JsonObject = {}): AsyncGenerator<Uint8Array> {
    if (this.#file === ":memory:") {
      yield* valueOf(await this.#writer.send({ k: "dump", about })) as Uint8Array[];
      return;
    }
    const dumper = new SpaceThread({ file: this.#file, spaceId: this.spaceId, role: "dumper" });
    try {
      await dumper.ready();
      for (;;) {
        const frames = valueOf(await dumper.send({ k: "dump", about })) as Uint8Array[] | undefined;
        if (frames === undefined) return;
        yield* frames;
      }
    } finally {
      await dumper.close();
    }
  }

  /** Takes the next bytes of a dump in place of what is there; null ends it, and gives what came along. */
  async load(bytes: Uint8Array | null): Promise<JsonObject | null> {
    return valueOf(await this.#writer.send({ k: "load", bytes })) as JsonObject | null;
  }

  /** How many rows there are, and what is wrong with the file. */
  async check(): Promise<{ readonly rows: number; readonly problems: readonly string[] }> {
    return valueOf(await this.#writer.send({ k: "check" })) as { readonly rows: number; readonly problems: string[] };
  }

  staleAsOf(): number | null {
    return null;
  }

  get lost(): Promise<void> {
    return Promise.race([this.#reader.ended, this.#writer.ended]);
  }

  async close(): Promise<void> {
    if (this.#reader !== this.#writer) await this.#reader.close();
    await this.#writer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
