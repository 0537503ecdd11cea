/**
 * Fields that elements of a kind do not have. A path to one is null, as the language wants it; the answer says so beside
 * the rows where the pattern tells the kind of the variable, so that a slip of the pen is not taken for missing data.
 */
import { nearest } from "@mainspring/kernel";
import type { ElementKind, Find } from "@mainspring/kip";

const COMMON = ["id", "kind", "space_id", "facets", "retention", "governance", "_system", "retrieval"];

/** What the renderer knows of each kind. */
export const FIELDS: Readonly<Record<ElementKind, readonly string[]>> = {
  concept: ["schema_ref", "type", "key", "name", "canonical_id", "aliases", "attributes", "structural", "merged_into"],
  proposition: ["subject", "predicate_ref", "object", "canonical_subject", "canonical_object"],
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

/** Members of ASSERT that the assertion keeps under another name. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  by: "asserted_by",
  at: "asserted_at",
  valid: "valid_time",
  context: "context_refs",
  predicate: "predicate_ref",
};

interface Node {
  readonly k: string;
  readonly kind?: ElementKind;
  readonly variable?: { readonly name: string };
  readonly name?: string;
  readonly steps?: readonly string[];
}

/** A sentence for each path of the query to a field that its element cannot have. */
export function unknownFields({ where, projections, orderBy }: Find): string[] {
  const kinds = new Map<string, ElementKind | "any">();
  const paths = new Map<string, Node>();
  visit([where, projections, orderBy], (node) => {
    const kind = kindOf(node);
    const name = node.variable?.name;
    if (kind !== undefined && name !== undefined) {
      const before = kinds.get(name);
      kinds.set(name, before === undefined || before === kind ? kind : "any");
    }
    if (node.k === "path") paths.set(`${node.name} ${node.steps?.[0]}`, node);
  });
  return [...paths.values()].flatMap(({ name = "", steps = [] }) => {
    const kind = kinds.get(name) ?? "any";
    const field = steps[0] ?? "";
    if (kind === "any" || FIELDS[kind].includes(field) || COMMON.includes(field)) return [];
    return [sentence(name, kind, field)];
  });
}

function sentence(name: string, kind: ElementKind, field: string): string {
  const [known, own] = [FIELDS[kind], WRITTEN_AS[field]];
  const near = own !== undefined && known.includes(own) ? own : nearest(field, known);
  const meant = near === undefined ? "" : ` (did you mean ?${name}.${near}?)`;
  return `?${name}.${field} is null: an element of kind ${kind} has no such field${meant}; it has ${known.join(", ")}`;
}

/** Of the variable of a pattern: beliefs and links are no elements, and have fields of their own. */
function kindOf({ k, kind }: Node): ElementKind | "any" | undefined {
  if (k === "record" || k === "search") return kind;
  if (k === "concept" || k === "proposition") return k;
  return k === "structural" || k === "belief" || k === "slot" ? "any" : undefined;
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  if ("k" in node) see(node as Node);
  for (const child of Object.values(node)) visit(child, see);
}
