/** The fields of elements by kind. */
import type { ElementKind } from "@mainspring/kip";

/** What elements of every kind have. */
export const COMMON_FIELDS = ["id", "kind", "facets", "retention", "_system", "space_id", "governance"];

/** What a pattern of the kind may name. */
export const MATCHED_FIELDS: Readonly<Record<ElementKind, readonly string[]>> = {
  concept: ["type", "key", "name", "schema_ref", "canonical_id", "aliases", "attributes", "merged_into"],
  proposition: ["subject", "predicate_ref", "object"],
  assertion: [
    "proposition",
    "asserted_by",
    "stance",
    "mode",
    "confidence",
    "asserted_at",
    "valid_time",
    "evidence",
    "context_refs",
    "lifecycle",
  ],
  evidence: [
    "evidence_class",
    "payload",
    "content_digest",
    "media_type",
    "observed_at",
    "source",
    "generated_by",
    "lifecycle",
  ],
  activity: [
    "activity_class",
    "started_at",
    "ended_at",
    "inputs",
    "outputs",
    "associated_actors",
    "parameters_digest",
    "status",
  ],
};

/** What a path may read of the kind, beside what all have: also what is computed. */
export const READ_FIELDS: typeof MATCHED_FIELDS = {
  ...MATCHED_FIELDS,
  concept: [...MATCHED_FIELDS.concept, "structural"],
  proposition: [...MATCHED_FIELDS.proposition, "canonical_subject", "canonical_object"],
};
