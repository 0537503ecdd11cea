/** Beliefs from the store: candidates and claims of a slot are read in batches, projected, and described. */
import {
  KipError,
  POLICIES,
  projectSlot,
  rootsOf,
  type BeliefProjection,
  type BeliefQuestion,
  type Candidate,
  type Claim,
  type Json,
  type JsonObject,
  type SlotProjection,
} from "@mainspring/kip";
import type { AssertionBody, ElementRow, EvidenceBody } from "../domain/element.ts";
import { STATE } from "../domain/element.ts";
import { formatId, kindOf } from "../domain/element-id.ts";
import type { SchemaEnvironment } from "../domain/schema-environment.ts";
import type { GraphView, PropositionRow } from "../ports/space-graph.ts";
import { CORE_FIELD } from "./render.ts";
import { QUERY_LIMITS } from "./session.ts";

/** Propositions of slots that are projected whole although only some of their values are asked about. */
const WHOLE_SLOTS_MAX = 1000;
/** How far review of dependencies is followed. */
const DEPENDENCY_DEPTH_MAX = 32;

export interface BeliefSettings {
  readonly at: string;
  readonly contexts: readonly string[];
  readonly includeHypothetical: boolean;
  readonly includeHistorical: boolean;
  readonly explanation: "none" | "summary" | "ledger";
  readonly policy: BeliefQuestion["policy"];
  readonly purpose: string | null;
  readonly risk: string | null;
}

/** The propositions of one value; more than one only after a merge made two tuples the same. */
export interface SlotValue {
  readonly proposition: PropositionRow;
  readonly all: readonly PropositionRow[];
}
export interface ProjectedSlot {
  readonly subject: number;
  readonly values: readonly SlotValue[];
  readonly projection: SlotProjection;
}

export class BeliefReader {
  readonly #view: GraphView;
  readonly #environment: SchemaEnvironment;
  readonly #spaceId: string;
  readonly settings: BeliefSettings;
  /** Most propositions or subjects that one belief pattern projects. */
  readonly targetsMax: number;
  readonly #slots = new Map<string, ProjectedSlot>();

  constructor(
    view: GraphView,
    environment: SchemaEnvironment,
    spaceId: string,
    settings: BeliefSettings,
    targetsMax = QUERY_LIMITS.projectionTargets,
  ) {
    this.#view = view;
    this.#environment = environment;
    this.#spaceId = spaceId;
    this.settings = settings;
    this.targetsMax = targetsMax;
  }

  #typeIds(predicate: string): number[] {
    return this.#environment.predicate(predicate).lineages.flatMap((lineage) => this.#view.symbol(lineage) ?? []);
  }

  /** The slots of many subjects, each read once for a query. */
  /**
   * `only`: the values that are asked about. Where values do not exclude each other and there are many, the others are
   * left out, so that one grounded belief about a hub does not project all of it.
   */
  slots(
    subjects: readonly number[],
    predicate: string,
    only?: ReadonlySet<number | string>,
  ): Map<number, ProjectedSlot> {
    const found = new Map<number, ProjectedSlot>();
    const missing = new Set<number>();
    for (const subject of subjects.map((eid) => this.#view.canonical(eid))) {
      const known = this.#slots.get(`${predicate} ${subject}`);
      if (known === undefined) missing.add(subject);
      else found.set(subject, known);
    }
    if (missing.size === 0) return found;
    const types = this.#typeIds(predicate);
    let rows = types.length === 0 ? [] : this.#view.propositions({ types, subjects: [...missing] });
    const { functional, functional_by: by } = this.#environment.predicate(predicate).definition;
    const narrow = only !== undefined && rows.length > WHOLE_SLOTS_MAX && functional !== true && by === undefined;
    if (narrow) rows = rows.filter((row) => only.has(row.object ?? row.literal!));
    if (rows.length > this.targetsMax) {
      throw new KipError("ProjectionTargetUnbounded", `a belief projects at most ${this.targetsMax} propositions`);
    }
    const claims = this.#claims(rows);
    const groups = this.#conflictGroups(rows, predicate);
    const bySubject = Map.groupBy(rows, (row) => row.subject);
    for (const subject of missing) {
      const slot = this.#project(subject, bySubject.get(subject) ?? [], claims, groups);
      found.set(subject, slot);
      if (!narrow) this.#slots.set(`${predicate} ${subject}`, slot);
    }
    return found;
  }

  #project(
    subject: number,
    rows: readonly PropositionRow[],
    claims: ReadonlyMap<number, Claim[]>,
    groups: ReadonlyMap<number, string | undefined>,
  ): ProjectedSlot {
    const values: SlotValue[] = [];
    for (const all of Map.groupBy(rows, (row) => row.object ?? `=${row.literal}`).values()) {
      const ordered = all.sort((left, right) => left.eid - right.eid);
      values.push({ proposition: ordered[0]!, all: ordered });
    }
    const candidates = values.map(({ proposition, all }): Candidate => {
      const id = formatId(proposition.eid);
      return {
        proposition: id,
        conflictGroup: groups.get(proposition.eid),
        claims: all.flatMap((row) => claims.get(row.eid) ?? []).map((claim) => ({ ...claim, proposition: id })),
      };
    });
    const { at, contexts, includeHypothetical, policy } = this.settings;
    const question = { at, contexts, includeHypothetical, policy, subject: formatId(subject) };
    return { subject, values, projection: projectSlot(candidates, question) };
  }

  #conflictGroups(rows: readonly PropositionRow[], predicate: string): Map<number, string | undefined> {
    const { functional, functional_by: by } = this.#environment.predicate(predicate).definition;
    const groups = new Map<number, string | undefined>();
    if (functional === true) for (const row of rows) groups.set(row.eid, "slot");
    else if (by === "object_type") {
      const objects = this.#view.elements([...new Set(rows.flatMap((row) => row.object ?? []))]);
      for (const row of rows) {
        groups.set(row.eid, row.object === null ? "literal" : `type ${objects.get(row.object)?.type ?? "unknown"}`);
      }
    }
    return groups;
  }

  #claims(rows: readonly PropositionRow[]): Map<number, Claim[]> {
    const claims = new Map<number, Claim[]>();
    if (rows.length === 0) return claims;
    const ids = this.#view.find({ kind: 2, a: rows.map((row) => row.eid) });
    const assertions = [...this.#view.elements(ids).values()] as ElementRow<AssertionBody>[];
    const cited = new Set(assertions.flatMap((row) => (row.body.evidence ?? []).map((citation) => citation.id)));
    const evidence = this.#view.elements([...cited]) as Map<number, ElementRow<EvidenceBody>>;
    const roots = this.#roots(evidence);
    const dependencies = this.#dependencies(assertions);
    for (const row of assertions) {
      const claim = this.#claim(row, evidence, roots, dependencies);
      const list = claims.get(row.a!);
      if (list === undefined) claims.set(row.a!, [claim]);
      else list.push(claim);
    }
    return claims;
  }

  #claim(
    row: ElementRow<AssertionBody>,
    evidence: ReadonlyMap<number, ElementRow<EvidenceBody>>,
    roots: (id: number) => string[],
    dependencies: (id: number) => Claim["dependency"],
  ): Claim {
    const { body } = row;
    const citations = body.evidence ?? [];
    return {
      id: formatId(row.eid),
      proposition: "",
      actor: formatId(row.b!),
      stance: body.stance,
      mode: body.mode,
      confidence: body.confidence,
      assertedAt: body.asserted_at,
      from: body.from,
      until: body.until,
      contexts: (body.contexts ?? []).map((eid) => formatId(this.#view.canonical(eid))),
      lifecycle: body.status ?? "active",
      visible: row.state === STATE.active,
      misrecorded: body.misrecorded === true,
      evidenceCorrected: citations.some((citation) => evidence.get(citation.id)?.body.status === "corrected"),
      roots: [
        ...new Set(
          citations.filter((citation) => citation.role !== "context").flatMap((citation) => roots(citation.id)),
        ),
      ],
      dependency: dependencies(row.eid),
    };
  }

  /** Evidence that an Activity generated goes back to that Activity's inputs. */
  #roots(evidence: ReadonlyMap<number, ElementRow<EvidenceBody>>): (id: number) => string[] {
    const inputs = this.#view.symbol(`${CORE_FIELD}inputs`);
    const known = new Map(evidence);
    const inputsOf = (id: string): string[] => {
      const eid = Number(id);
      if (kindOf(eid) !== 3) return [];
      let row = known.get(eid);
      if (row === undefined) {
        row = this.#view.element(eid) as ElementRow<EvidenceBody> | undefined;
        if (row !== undefined) known.set(eid, row);
      }
      const activity = row?.body.generated_by;
      if (activity === undefined || inputs === undefined) return [];
      return this.#view.edges({ fields: [inputs], sources: [activity] }).map((edge) => String(edge.target));
    };
    return (id) => rootsOf(String(id), inputsOf).map((root) => formatId(Number(root)));
  }

  /** Whether what a claim was derived from still stands; claims that no Activity put out depend on nothing. */
  #dependencies(assertions: readonly ElementRow[]): (eid: number) => Claim["dependency"] {
    const outputs = this.#view.symbol(`${CORE_FIELD}outputs`);
    if (outputs === undefined || assertions.length === 0) return () => "current";
    const edges = this.#view.edges({ fields: [outputs], targets: assertions.map((row) => row.eid) });
    const producers = Map.groupBy(edges, (edge) => edge.target);
    return (eid) => (producers.has(eid) ? this.dependencyOf(eid, 0, new Set()) : "current");
  }

  dependencyOf(eid: number, depth: number, seen: Set<number>): Claim["dependency"] {
    if (seen.has(eid) || depth > DEPENDENCY_DEPTH_MAX) return "current";
    seen.add(eid);
    const [outputs, inputs] = ["outputs", "inputs"].map((name) => this.#view.symbol(CORE_FIELD + name));
    if (outputs === undefined || inputs === undefined) return "current";
    const activities = this.#view.edges({ fields: [outputs], targets: [eid] }).map((edge) => edge.source);
    if (activities.length === 0) return "current";
    const sources = this.#view.edges({ fields: [inputs], sources: activities }).map((edge) => edge.target);
    const rows = this.#view.elements([...new Set(sources)]);
    let worst: Claim["dependency"] = "current";
    for (const source of sources) {
      const row = rows.get(source);
      if (row === undefined || row.state === STATE.purged) worst = worst === "needs_review" ? worst : "unverifiable";
      else if (needsReview(row) || this.dependencyOf(source, depth + 1, seen) === "needs_review")
        worst = "needs_review";
    }
    return worst;
  }

  #basis(slot: ProjectedSlot): JsonObject {
    const { at, contexts, policy, purpose, risk } = this.settings;
    return {
      space_id: this.#spaceId,
      snapshot_seq: this.#view.seq,
      schema_environment_version: this.#environment.version,
      policy: { id: policy, version: POLICIES[policy] },
      context_refs: contexts,
      purpose,
      risk,
      valid_at: at,
      next_invalid_at: slot.projection.nextInvalidAt ?? null,
      authorization_view: "full",
    };
  }

  #value(value: SlotValue): Json {
    const { object, literal } = value.proposition;
    return object === null ? (JSON.parse(literal!) as Json) : { id: formatId(object) };
  }

  #describe(slot: ProjectedSlot, value: SlotValue, found: BeliefProjection): JsonObject {
    const { ledger, proposition, ...rest } = found;
    const counted = ledger.filter((entry) => entry.excluded === undefined || this.settings.includeHistorical);
    const explanation: Json | undefined =
      this.settings.explanation === "none"
        ? undefined
        : this.settings.explanation === "ledger"
          ? (counted as unknown as Json)
          : {
              claims: ledger.length,
              eligible: ledger.filter((entry) => entry.excluded === undefined).length,
              inside: ledger.filter((entry) => entry.time === "inside").length,
            };
    return {
      proposition: { id: proposition },
      value: this.#value(value),
      slot_status: slot.projection.status,
      ...(rest as unknown as JsonObject),
      ...(explanation === undefined ? {} : { explanation }),
    };
  }

  /** The belief about one value of a slot; a value that was never stored is `insufficient`. */
  belief(slot: ProjectedSlot, value: SlotValue | undefined): JsonObject {
    const id = value === undefined ? undefined : formatId(value.proposition.eid);
    const found = slot.projection.candidates.find((candidate) => candidate.proposition === id);
    const basis = this.#basis(slot);
    if (value !== undefined && found !== undefined) return { ...this.#describe(slot, value, found), basis };
    const side = { score: 0, score_semantics: "independent_roots", assertion_ids: [], root_groups: [] };
    return {
      status: "insufficient",
      candidate_status: "insufficient",
      slot_status: slot.projection.status,
      conflict_refs: [],
      conflict_reasons: [],
      leading: "none",
      support: side,
      opposition: side,
      uncertainty: { level: "high", reasons: ["no_basis"] },
      basis,
    };
  }

  slotBelief(slot: ProjectedSlot): JsonObject {
    const described = slot.projection.candidates.map((candidate) => {
      const value = slot.values.find((entry) => formatId(entry.proposition.eid) === candidate.proposition)!;
      return { candidate, value };
    });
    return {
      status: slot.projection.status,
      accepted_values: described
        .filter(({ candidate }) => candidate.status === "accepted")
        .map(({ value }) => this.#value(value)),
      candidate_projections: described.map(({ candidate, value }) => this.#describe(slot, value, candidate)),
      basis: this.#basis(slot),
    };
  }
}

function needsReview(row: ElementRow): boolean {
  if (row.state !== STATE.active && row.state !== STATE.merged) return true;
  const { status } = row.body as { status?: string };
  return status === "retracted" || status === "superseded" || status === "corrected";
}
