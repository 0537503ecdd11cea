/** An element as the store keeps it: columns that are looked up by, and a body with the rest. */
import type { Json, JsonObject, JsonScalar, Mode, Stance, TimePoint } from "@mainspring/kip";

export const STATE = { active: 0, archived: 1, tombstoned: 2, purged: 3, merged: 4 } as const;
export type StateName = keyof typeof STATE;
export type StateCode = (typeof STATE)[StateName];
export const STATE_NAMES: readonly StateName[] = ["active", "archived", "tombstoned", "purged", "merged"];

export interface Retention {
  readonly retention_class?: string;
  readonly expires_at?: string | null;
  readonly legal_hold?: boolean;
}

interface CommonBody {
  /** Facets by name. */
  facets?: Record<string, JsonObject>;
  retention?: Retention;
  /** Plane versions that differ from the 1 that creation gives. */
  planes?: Record<string, number>;
  origin?: string;
}
export interface ConceptBody extends CommonBody {
  schema_ref: string;
  attributes?: Record<string, Json>;
  aliases?: readonly string[];
  canonical_id?: string;
}
export interface PropositionBody extends CommonBody {
  predicate_ref: string;
  /** Subject and object as they were stored; merges change the columns only. */
  subject: number;
  object?: number;
  literal?: JsonScalar;
}
export interface Citation {
  readonly id: number;
  readonly role: "support" | "challenge" | "context";
}
export interface AssertionBody extends CommonBody {
  stance: Stance;
  mode: Mode;
  confidence?: number;
  asserted_at: string;
  from?: TimePoint;
  until?: TimePoint;
  /** The actor as stored. */
  by: number;
  contexts?: readonly number[];
  evidence?: readonly Citation[];
  status?: "retracted" | "superseded";
  superseded_by?: number;
  misrecorded?: boolean;
}
export interface EvidenceBody extends CommonBody {
  evidence_class: string;
  payload?: JsonObject;
  payload_purged?: boolean;
  content_digest?: string;
  media_type?: string;
  observed_at: string;
  source?: number;
  generated_by?: number;
  status?: "corrected";
  corrected_by?: number;
}
export type ActivityStatus = "pending" | "running" | "completed" | "failed" | "cancelled";
export interface ActivityBody extends CommonBody {
  activity_class: string;
  started_at?: string;
  ended_at?: string;
  parameters_digest?: string;
  status: ActivityStatus;
}
export type Body = ConceptBody | PropositionBody | AssertionBody | EvidenceBody | ActivityBody;

export interface ElementRow<B extends Body = Body> {
  readonly eid: number;
  state: StateCode;
  version: number;
  readonly createdSeq: number;
  updatedSeq: number;
  readonly createdAt: number;
  updatedAt: number;
  /** Symbol number of the type, predicate or class. */
  type: number;
  key: string | null;
  name: string | null;
  /** Concept: merged into. Proposition: subject, merges followed. Assertion: its proposition. */
  a: number | null;
  /** Proposition: object element, merges followed. Assertion: its actor, merges followed. */
  b: number | null;
  /** Proposition: the object literal's identity. */
  literal: string | null;
  body: B;
}

/** The links of an element by field, in order. */
export interface LinkRow {
  readonly field: number;
  readonly target: number;
  readonly index: number;
  readonly role: string | null;
}
