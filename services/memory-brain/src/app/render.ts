/** Stored rows as the elements of the protocol. A single field is computed without the rest. */
import type { Json, JsonObject, TimePoint } from "@mainspring/kip";
import type {
  ActivityBody,
  AssertionBody,
  ConceptBody,
  ElementRow,
  EvidenceBody,
  PropositionBody,
} from "../domain/element.ts";
import { STATE_NAMES } from "../domain/element.ts";
import { formatId, KIND_NAMES, kindOf } from "../domain/element-id.ts";
import type { SchemaEnvironment } from "../domain/schema-environment.ts";
import { effectiveStrength } from "../domain/strength.ts";
import type { GraphView } from "../ports/space-graph.ts";

export const CORE_FIELD = "kip://core/";
/** The structural names that every record has by itself. */
export const CORE_FIELDS = [
  "evidence",
  "source",
  "generated_by",
  "inputs",
  "outputs",
  "associated_actors",
  "context_refs",
] as const;

export const isoTime = (ms: number): string => new Date(ms).toISOString();
export const txId = (seq: number): string => `tx-${seq}`;

const reference = (eid: number): JsonObject => ({ id: formatId(eid) });
const optional = (eid: number | undefined): Json | undefined => (eid === undefined ? undefined : reference(eid));

type Field = (row: ElementRow) => Json | undefined;

export class Renderer {
  readonly #view: GraphView;
  readonly #environment: SchemaEnvironment;
  readonly #spaceId: string;
  readonly #now: number;
  readonly #links = new Map<number, JsonObject>();

  constructor(view: GraphView, environment: SchemaEnvironment, spaceId: string, now: number) {
    this.#view = view;
    this.#environment = environment;
    this.#spaceId = spaceId;
    this.#now = now;
  }

  readonly #common: Readonly<Record<string, Field>> = {
    id: (row) => formatId(row.eid),
    kind: (row) => KIND_NAMES[kindOf(row.eid)],
    space_id: () => this.#spaceId,
    facets: (row) => this.#facets(row),
    retention: (row) => ({ ...row.body.retention }),
    governance: () => ({}),
    _system: (row) => this.#system(row),
  };

  readonly #byKind: readonly Readonly<Record<string, Field>>[] = [
    {
      schema_ref: (row) => (row.body as ConceptBody).schema_ref,
      key: (row) => row.key ?? undefined,
      name: (row) => row.name ?? undefined,
      canonical_id: (row) => (row.body as ConceptBody).canonical_id,
      aliases: (row) => (row.body as ConceptBody).aliases ?? [],
      attributes: (row) => (row.body as ConceptBody).attributes ?? {},
      structural: (row) => this.#structural(row.eid),
      merged_into: (row) => (row.a === null ? undefined : reference(row.a)),
    },
    {
      subject: (row) => reference((row.body as PropositionBody).subject),
      predicate_ref: (row) => (row.body as PropositionBody).predicate_ref,
      object: (row) => {
        const body = row.body as PropositionBody;
        return body.object === undefined ? body.literal : reference(body.object);
      },
      canonical_subject: (row) => (row.a === null ? undefined : reference(row.a)),
      canonical_object: (row) => (row.b === null ? (row.body as PropositionBody).literal : reference(row.b)),
    },
    {
      proposition: (row) => (row.a === null ? undefined : reference(row.a)),
      asserted_by: (row) => reference((row.body as AssertionBody).by),
      stance: (row) => (row.body as AssertionBody).stance,
      mode: (row) => (row.body as AssertionBody).mode,
      confidence: (row) => (row.body as AssertionBody).confidence,
      asserted_at: (row) => (row.body as AssertionBody).asserted_at,
      valid_time: (row) => validTime(row.body as AssertionBody),
      evidence: (row) =>
        ((row.body as AssertionBody).evidence ?? []).map(({ id, role }) => ({ id: formatId(id), role })),
      context_refs: (row) => ((row.body as AssertionBody).contexts ?? []).map(reference),
      lifecycle: (row) => this.#lifecycle(row.body as AssertionBody),
    },
    {
      evidence_class: (row) => (row.body as EvidenceBody).evidence_class,
      payload: (row) => (row.body as EvidenceBody).payload,
      content_digest: (row) => (row.body as EvidenceBody).content_digest,
      media_type: (row) => (row.body as EvidenceBody).media_type,
      observed_at: (row) => (row.body as EvidenceBody).observed_at,
      source: (row) => optional((row.body as EvidenceBody).source),
      generated_by: (row) => optional((row.body as EvidenceBody).generated_by),
      lifecycle: (row) => {
        const { status, corrected_by: by } = row.body as EvidenceBody;
        return { status: status ?? "active", ...(by === undefined ? {} : { corrected_by: reference(by) }) };
      },
    },
    {
      activity_class: (row) => (row.body as ActivityBody).activity_class,
      started_at: (row) => (row.body as ActivityBody).started_at,
      ended_at: (row) => (row.body as ActivityBody).ended_at,
      inputs: (row) => this.#linked(row.eid, "inputs"),
      outputs: (row) => this.#linked(row.eid, "outputs"),
      associated_actors: (row) => this.#linked(row.eid, "associated_actors"),
      parameters_digest: (row) => (row.body as ActivityBody).parameters_digest,
      status: (row) => (row.body as ActivityBody).status,
    },
  ];

  /** Facet names may be written as references in a path. */
  facetName(name: string): string {
    return this.#environment.find("FacetDefinition", name)?.definition.name ?? name;
  }

  /** One field of an element; `type` is the local name of a concept's type. */
  field(row: ElementRow, name: string): Json | undefined {
    if (name === "type" && kindOf(row.eid) === 0) return (row.body as ConceptBody).schema_ref.replace(/^.*\//, "");
    const fields = this.#byKind[kindOf(row.eid)]!;
    const field = Object.hasOwn(fields, name)
      ? fields[name]
      : Object.hasOwn(this.#common, name)
        ? this.#common[name]
        : undefined;
    return field?.(row);
  }

  render(row: ElementRow): JsonObject {
    const element: Record<string, Json> = {
      id: formatId(row.eid),
      kind: KIND_NAMES[kindOf(row.eid)],
      space_id: this.#spaceId,
    };
    if (STATE_NAMES[row.state] !== "purged") {
      for (const [name, field] of Object.entries(this.#byKind[kindOf(row.eid)]!)) {
        const value = field(row);
        if (value !== undefined) element[name] = value;
      }
      element["facets"] = this.#facets(row);
      element["retention"] = { ...row.body.retention };
    }
    element["_system"] = this.#system(row);
    return element;
  }

  #lifecycle(body: AssertionBody): JsonObject {
    const until = typeof body.until === "string" ? body.until : body.until?.latest;
    const expired = body.status === undefined && until !== undefined && until <= isoTime(this.#now);
    return {
      status: body.status ?? (expired ? "expired" : "active"),
      ...(body.superseded_by === undefined ? {} : { superseded_by: reference(body.superseded_by) }),
    };
  }

  #facets(row: ElementRow): JsonObject {
    const facets = row.body.facets ?? {};
    const strength = facets["MnemonicState"];
    if (strength === undefined) return facets;
    return { ...facets, MnemonicState: { ...strength, effective_strength: effectiveStrength(strength, this.#now) } };
  }

  #system(row: ElementRow): JsonObject {
    return {
      version: row.version,
      plane_versions: planeVersions(row),
      created_at: isoTime(row.createdAt),
      updated_at: isoTime(row.updatedAt),
      created_tx: txId(row.createdSeq),
      updated_tx: txId(row.updatedSeq),
      state: STATE_NAMES[row.state]!,
      origin: row.body.origin ?? "direct",
    };
  }

  /** Reads the links of many elements at once, ahead of rendering them. */
  loadLinks(eids: readonly number[]): void {
    const missing = eids.filter((eid) => !this.#links.has(eid));
    if (missing.length === 0) return;
    const drafts = new Map<number, Record<string, JsonObject[]>>(missing.map((eid) => [eid, {}]));
    for (const edge of this.#view.edges({ sources: missing })) {
      const lineage = this.#view.lineage(edge.field);
      const name = lineage.slice(lineage.lastIndexOf("/") + 1);
      const draft = drafts.get(edge.source)!;
      (draft[name] ??= []).push({
        id: formatId(edge.target),
        index: edge.index,
        ...(edge.role === null ? {} : { role: edge.role }),
      });
    }
    for (const [eid, links] of drafts) this.#links.set(eid, links);
  }

  #structural(eid: number): JsonObject {
    this.loadLinks([eid]);
    return this.#links.get(eid)!;
  }

  #linked(eid: number, name: string): Json {
    const links = (this.#structural(eid)[name] ?? []) as readonly JsonObject[];
    return links.map((link) => ({ id: link["id"]! }));
  }
}

function validTime(body: AssertionBody): JsonObject | undefined {
  const point = (value: TimePoint): Json => (typeof value === "string" ? value : { ...value });
  if (body.from === undefined && body.until === undefined) return undefined;
  return {
    ...(body.from === undefined ? {} : { from: point(body.from) }),
    ...(body.until === undefined ? {} : { until: point(body.until) }),
  };
}

/** Versions of the planes: 1 at creation for what the element has, then one more for each transaction that touches it. */
export function planeVersions(row: ElementRow): Record<string, number> {
  const facets = Object.keys(row.body.facets ?? {}).map((name) => [`FACET ${name}`, 1]);
  const own = kindOf(row.eid) === 0 ? { ATTRIBUTES: 1, STRUCTURAL: 1 } : kindOf(row.eid) === 4 ? { STRUCTURAL: 1 } : {};
  return { ...own, RETENTION: 1, ...Object.fromEntries(facets), ...row.body.planes };
}
