/**
 * Fields that elements of a kind do not have. A path to one is null, as the language wants it; the answer says so beside
 * the rows where the pattern tells the kind of the variable, so that a slip of the pen is not taken for missing data.
 */
import { nearest } from "@mainspring/kernel";
import type { ElementKind, Find } from "@mainspring/kip";
import { COMMON_FIELDS, READ_FIELDS } from "../../domain/query/fields.ts";

/** How a search found an element is read beside its fields. */
const BESIDE = [...COMMON_FIELDS, "retrieval"];

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

const seen = new WeakMap<Find, readonly string[]>();

/** A sentence for each path of the query to a field that its element cannot have. A parsed query is looked through once. */
export function unknownFields(query: Find): readonly string[] {
  let sentences = seen.get(query);
  if (sentences === undefined) seen.set(query, (sentences = lookThrough(query)));
  return sentences;
}

function lookThrough({ where, projections, orderBy }: Find): string[] {
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
    if (kind === "any" || READ_FIELDS[kind].includes(field) || BESIDE.includes(field)) return [];
    return [sentence(name, kind, field)];
  });
}

function sentence(name: string, kind: ElementKind, field: string): string {
  const [known, own] = [READ_FIELDS[kind], WRITTEN_AS[field]];
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
