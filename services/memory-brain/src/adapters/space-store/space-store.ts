/** A Space as the rest of the service sees it: requests in, responses out; its threads stay inside. */
import { MainspringError } from "@mainspring/kernel";
import { KipError, type JsonObject, type KipResponse } from "@mainspring/kip";
import type { RequestContext } from "../../app/execute.ts";
import { searchesSpace, writesSpace } from "../../app/space/calls.ts";
import type { CallInput, CallOutput, SpaceCall } from "../../app/space/calls.ts";
import type { LocalSpace, LogPosition, Recorder } from "../../app/local-space.ts";
import type { EmbedderName } from "../embedders/embedder-of.ts";
import type { Answer } from "./protocol.ts";
import { ThreadHandle } from "./thread-handle.ts";

/** Longest that a search waits for words to be indexed. */
const INDEX_WAIT_MS = 1_000;

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

const refused = (): MainspringError =>
  new MainspringError("unavailable", "another worker has taken the Space; send the request again", {
    reason: "space_moved",
    retry: "safe",
  });

const responseOf = (answer: Answer): KipResponse => {
  if ("refused" in answer) throw refused();
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
  if ("refused" in answer) throw refused();
  if ("error" in answer) throw KipError.fromObject(answer.error);
  return "value" in answer ? answer.value : undefined;
};

export interface SpaceOptions {
  /** A copy of what a log says; false by default. */
  readonly recorded?: boolean;
  /** What vectors are made with; none by default. */
  readonly embedder?: EmbedderName;
}

export class SpaceStore implements LocalSpace {
  readonly spaceId: string;
  readonly #file: string;
  readonly #writer: ThreadHandle;
  readonly #reader: ThreadHandle;

  private constructor(file: string, spaceId: string, writer: ThreadHandle, reader: ThreadHandle) {
    this.#file = file;
    this.spaceId = spaceId;
    this.#writer = writer;
    this.#reader = reader;
  }

  /**
   * Opens the Space's file, creating it where it does not exist. `:memory:` keeps it in the writer's thread alone. One that
   * is `recorded` is a copy of what a log says: it is brought up to date, and then told to record.
   */
  static async open(file: string, spaceId: string, options: SpaceOptions = {}): Promise<SpaceStore> {
    const { recorded = false, embedder = "none" } = options;
    const writer = new ThreadHandle({ file, spaceId, role: "writer", recorded, embedder });
    await writer.ready();
    if (file === ":memory:") return new SpaceStore(file, spaceId, writer, writer);
    const reader = new ThreadHandle({ file, spaceId, role: "reader", recorded, embedder });
    await reader.ready();
    return new SpaceStore(file, spaceId, writer, reader);
  }

  /** Runs a request. A retained write is committed to the disk before this resolves. */
  async execute(request: unknown, context: RequestContext): Promise<KipResponse> {
    const thread = onlyReads(request) ? this.#reader : this.#writer;
    try {
      if (thread === this.#reader && this.#writer.unindexed && searches(request)) await this.#indexed();
      return responseOf(await thread.send({ k: "execute", request, context }));
    } catch (error) {
      if (error instanceof MainspringError) throw error;
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
    if (thread !== this.#writer && this.#writer.unindexed && searchesSpace(name)) await this.#indexed();
    return valueOf(await thread.send({ k: "call", name, input, context })) as CallOutput<K>;
  }

  /** Indexes what was committed and is not indexed yet, and makes vectors of some of what has none. */
  async flush(): Promise<void> {
    await this.#writer.send({ k: "flush" });
  }

  /** A search finds what was acknowledged, unless the writer waits for a record: then it finds what is indexed. */
  async #indexed(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, INDEX_WAIT_MS)));
    await Promise.race([this.flush().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  /** The whole Space as it is now, in frames of at most 1 MiB; a snapshot, with tokens, where nothing goes along. */
  async *dump(about: JsonObject | null = null): AsyncGenerator<Uint8Array> {
    if (this.#file === ":memory:") {
      yield* valueOf(await this.#writer.send({ k: "dump", about })) as Uint8Array[];
      return;
    }
    const dumper = new ThreadHandle({
      file: this.#file,
      spaceId: this.spaceId,
      role: "dumper",
      recorded: true,
      embedder: "none",
    });
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

  /** Takes the next bytes of a dump in place of what is there, without its tokens; null ends it, and gives what came along. */
  async load(bytes: Uint8Array | null): Promise<JsonObject | null> {
    return this.#take(bytes, false);
  }

  async #take(bytes: Uint8Array | null, snapshot: boolean): Promise<JsonObject | null> {
    return valueOf(await this.#writer.send({ k: "load", bytes, snapshot })) as JsonObject | null;
  }

  /** The last record that this copy has; number 0 without one. */
  async position(): Promise<LogPosition> {
    return valueOf(await this.#writer.send({ k: "position" })) as LogPosition;
  }

  async isEmpty(): Promise<boolean> {
    return valueOf(await this.#writer.send({ k: "isEmpty" })) as boolean;
  }

  /** Takes the next bytes of a snapshot that was made at a record. */
  async restore(bytes: Uint8Array | null, at: LogPosition): Promise<void> {
    await this.#take(bytes, true);
    if (bytes === null) valueOf(await this.#writer.send({ k: "setPosition", at }));
  }

  /** Applies the records that follow. Throws `DigestMismatch` where this copy is not what they were made on. */
  async apply(records: readonly (LogPosition & { readonly patch: Uint8Array })[]): Promise<void> {
    if (records.length > 0) valueOf(await this.#writer.send({ k: "apply", records }));
  }

  /** From now on every write is recorded before it is committed. */
  async startRecording(recorder: Recorder): Promise<void> {
    this.#writer.recorder = recorder;
    valueOf(await this.#writer.send({ k: "record" }));
    await this.flush();
  }

  /** Ends it at once; a write that waits for its record is undone here. */
  async kill(): Promise<void> {
    await Promise.all([this.#reader.kill(), this.#writer.kill()]);
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
