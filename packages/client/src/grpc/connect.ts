/**
 * A Mainspring server over its public gRPC. Failures are MainspringErrors with the server's own code, reason and sentence, as
 * over HTTP; a connection that breaks is `unavailable`.
 */
import { engineContract, evalRunnerContract, GrpcConnection, memoryBrainContract } from "@mainspring/contracts";
import type { EvalRunnerClient } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import type { FollowOptions } from "../follow.ts";
import { persistently } from "../persistently.ts";
import type { SessionMessage } from "../views.ts";
import { followSession } from "./follow.ts";
import type { EngineApi, EvalsApi, MemoryApi } from "./services.ts";

const CALL_TIMEOUT_MS = 60_000;

export interface GrpcOptions {
  /** `host:port` of a gateway's gRPC, or several separated by commas; a name may stand for several replicas. */
  readonly address: string;
  /** API key, Space token or CBOR Web Token; empty for a server without authentication. Default empty. */
  readonly apiKey?: string;
  /** With `ca`, PEM of who signed the server's certificate, that one alone is trusted. Default false: no TLS. */
  readonly tls?: boolean | { readonly ca: string };
  /** Deadline of a call that is no stream and sets none. Default 60,000 ms. Streams have none of their own. */
  readonly timeoutMs?: number;
}

type Experiment = NonNullable<Awaited<ReturnType<EvalRunnerClient["GetExperiment"]>>["experiment"]>;

/** Connects when the first call is made. Throws `invalid_argument` for what is no address or no key. */
export function connectGrpc(options: GrpcOptions): MainspringGrpc {
  return new MainspringGrpc(options);
}

export class MainspringGrpc {
  readonly engine: EngineApi;
  readonly memory: MemoryApi;
  readonly evals: EvalsApi;
  readonly #connection: GrpcConnection;
  readonly #server: string;
  readonly #closed = new AbortController();

  constructor({ address, apiKey = "", tls = false, timeoutMs = CALL_TIMEOUT_MS }: GrpcOptions) {
    // What carries it would repeat it in its error.
    if (!/^[\x21-\x7e]*$/.test(apiKey)) {
      throw new MainspringError("invalid_argument", "apiKey has characters that no key has", { param: "apiKey" });
    }
    checkTimeout(timeoutMs);
    if (typeof tls === "object") checkCertificate(tls.ca);
    const security = tls === false ? {} : { tls: tls === true ? {} : tls };
    this.#connection = new GrpcConnection(address, { credential: apiKey, timeoutMs, ...security });
    this.#server = address;
    this.engine = this.#connection.client(engineContract);
    this.memory = this.#connection.client(memoryBrainContract);
    this.evals = this.#connection.client(evalRunnerContract);
  }

  /**
   * Events as they happen and, between them, pieces of output that are not committed yet; across broken connections, none
   * missed and none twice. With `run` it ends with that run, else never. Texts above 32 KiB are references (`text_ref`), which
   * `/v1/artifacts` has.
   */
  followSession(session: string, options: Partial<FollowOptions> = {}): AsyncGenerator<SessionMessage> {
    const { run = "", after = "", signal } = options;
    return followSession(this.engine, this.#server, session, { run, after, signal: this.#until(signal) });
  }

  /** The experiment whenever it got further, across broken connections, until it has ended. */
  async *followExperiment(
    id: string,
    { signal: given }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<Experiment> {
    const signal = this.#until(given);
    const open = () => this.evals.WatchExperiment({ experiment_id: id }, { signal });
    let before = "";
    for await (const { experiment } of persistently(this.#server, open, signal)) {
      const text = JSON.stringify(experiment);
      // A stream that is opened again begins with what was told before.
      if (text !== before) yield experiment!;
      before = text;
      if (experiment!.ended_at_ms > 0) return;
    }
  }

  /** Ends what is followed; other calls under way go on, and further ones fail with `failed_precondition`. */
  close(): void {
    this.#closed.abort(new DOMException("the client was closed", "AbortError"));
    this.#connection.close();
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
  }
}

function checkTimeout(timeoutMs: number): void {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return;
  throw new MainspringError("invalid_argument", "timeoutMs is a number of milliseconds above 0", {
    param: "timeoutMs",
  });
}

function checkCertificate(ca: string): void {
  if (ca.includes("-----BEGIN CERTIFICATE-----")) return;
  throw new MainspringError("invalid_argument", "tls.ca is no certificate in PEM", { param: "tls" });
}
