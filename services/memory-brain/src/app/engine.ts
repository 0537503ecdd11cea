/** The engine of one Space on one connection: names, plans and rules over a store. */
import { nearest } from "@mainspring/kernel";
import { KipError, parse, type Statement } from "@mainspring/kip";
import { SchemaEnvironment } from "../domain/schema-environment.ts";
import type { Digest } from "../ports/digest.ts";
import type { GraphStore } from "../ports/graph-store.ts";
import type { GraphView } from "../ports/space-graph.ts";
import { QUERY_LIMITS, type Engine, type QueryLimits } from "./session.ts";

/** Commands whose trees are kept; a command is parsed once for as long as it is repeated. */
const PARSED_MAX = 1000;
/** Longest command that is kept. */
const PARSED_LENGTH_MAX = 8192;

export class SpaceEngine implements Engine {
  readonly spaceId: string;
  readonly digest: Digest;
  readonly store: GraphStore;
  readonly clock: () => number;
  /** Told of errors that are nobody's expected refusal. */
  readonly report: (error: unknown) => void;
  readonly limits: QueryLimits;
  #environment: SchemaEnvironment | undefined;
  #schemaSeq = -1;
  readonly #parsed = new Map<string, Statement>();

  constructor(
    parts: Pick<SpaceEngine, "spaceId" | "digest" | "store" | "clock" | "report">,
    limits: QueryLimits = QUERY_LIMITS,
  ) {
    this.spaceId = parts.spaceId;
    this.digest = parts.digest;
    this.store = parts.store;
    this.clock = parts.clock;
    this.report = parts.report;
    this.limits = limits;
  }

  get environment(): SchemaEnvironment {
    const seq = this.store.schemaSeq();
    if (this.#environment === undefined || seq !== this.#schemaSeq) {
      const view = this.store.view(undefined);
      this.#environment = new SchemaEnvironment(view.packages(), view.drafts());
      this.#schemaSeq = seq;
    }
    return this.#environment;
  }

  /** The environment is read again after a transaction that changed it was undone. */
  forgetEnvironment(): void {
    this.#environment = undefined;
  }

  view(seq: number | undefined): GraphView {
    if (seq !== undefined) {
      const current = this.store.currentSeq();
      if (seq > current) {
        throw new KipError(
          "HistoricalSnapshotUnavailable",
          `sequence number ${seq} does not exist yet; the Space is at ${current}`,
          { details: { space_seq: current } },
        );
      }
    }
    return this.store.view(seq);
  }

  parse(command: string): Statement {
    const known = this.#parsed.get(command);
    if (known !== undefined) return known;
    const statement = parse(command);
    if (command.length > PARSED_LENGTH_MAX) return statement;
    if (this.#parsed.size >= PARSED_MAX) {
      const oldest = this.#parsed.keys().next();
      if (oldest.done !== true) this.#parsed.delete(oldest.value);
    }
    this.#parsed.set(command, statement);
    return statement;
  }
}

const CAPABILITIES: Readonly<Record<string, boolean>> = {
  serializable_isolation: true,
  atomic_batch: true,
  idempotency_retention: true,
  historical_reads: true,
  historical_search: false,
  search_index_freshness: true,
  weighted_projection: false,
  signed_receipts: false,
  streaming: false,
  artifacts: false,
  change_stream: true,
  filtered_delivery: false,
  watch_evaluation: false,
  exposure_log: false,
  draft_vocabulary: true,
  identity_repair: true,
  recording_repair: false,
  derive_permission: false,
  record_outcome_permission: false,
  capsule_export: false,
  capsule_import: false,
  capsule_signatures: false,
  kip1_migration: false,
  memory_interface: false,
  durable_brain_runtime: false,
  receiver_fencing: false,
  prospective_trials: false,
};

/** What a Space can do, by name. */
export const capabilitiesOf = ({ semantic }: GraphStore): Readonly<Record<string, boolean>> => ({
  ...CAPABILITIES,
  semantic_search: semantic,
  hybrid_search: semantic,
});

/** Refuses a capability that is unknown or absent. */
export function requireCapability(store: GraphStore, name: string): void {
  const capabilities = capabilitiesOf(store);
  if (Object.hasOwn(capabilities, name) && capabilities[name] === true) return;
  const near = nearest(name, Object.keys(capabilities));
  throw new KipError(
    "UnsupportedCapability",
    `${JSON.stringify(name)} is not supported${near === undefined || near === name ? "" : `; did you mean ${near}?`}`,
  );
}
