/** Structural links. Ordered fields stay dense from 0; a target is linked once in a field. */
import { KipError, type StructuralLink } from "@mainspring/kip";
import type { LinkRow } from "../../domain/element.ts";
import { formatId, KIND_NAMES, kindOf } from "../../domain/element-id.ts";
import { textOfScalar } from "../../domain/query/scalar.ts";
import { CORE_FIELD } from "../render.ts";
import type { Transaction } from "./transaction.ts";
import { objectOf, refOf } from "./values.ts";

/** The built-in fields of each kind of record. */
const RECORD_FIELDS: Readonly<Record<number, readonly string[]>> = {
  2: ["evidence"],
  3: ["source", "generated_by"],
  4: ["inputs", "outputs", "associated_actors"],
};

export interface FieldOfLinks {
  readonly name: string;
  readonly lineage: string;
  readonly ordered: boolean;
}

export function fieldOf(transaction: Transaction, eid: number, name: string): FieldOfLinks {
  const kind = kindOf(eid);
  if (kind !== 0) {
    if (RECORD_FIELDS[kind]?.includes(name) !== true)
      throw new KipError(
        "StructuralReferenceInvalid",
        `${KIND_NAMES[kind]} has no structural field ${JSON.stringify(name)}`,
      );
    return { name, lineage: CORE_FIELD + name, ordered: false };
  }
  const { definition, lineage } = transaction.environment.structural(name);
  if (definition.computed === true) throw new KipError("ProtectedSystemField", `${name} is computed from Activities`);
  return { name, lineage, ordered: definition.ordered };
}

const ROLES = ["support", "challenge", "context"];

interface Wanted {
  readonly target: number;
  readonly index: number | undefined;
  readonly role: string | null;
}

function wanted(transaction: Transaction, link: StructuralLink, ordered: boolean): Wanted {
  const options = objectOf(transaction, link.options);
  const unknown = Object.keys(options).find((key) => key !== "index" && key !== "role");
  if (unknown !== undefined)
    throw new KipError("SchemaFieldNotFound", `a structural link has no option ${JSON.stringify(unknown)}`);
  const { index, role } = options;
  if (index !== undefined && (typeof index !== "number" || !Number.isInteger(index) || index < 0))
    throw new KipError("ConstraintViolation", "index must be a whole number from 0");
  if (index !== undefined && !ordered)
    throw new KipError("ConstraintViolation", "only an ordered field takes an index");
  if (role !== undefined && (typeof role !== "string" || !ROLES.includes(role)))
    throw new KipError("ConstraintViolation", `role is one of ${ROLES.join(", ")}`);
  return {
    target: refOf(transaction, link.target, "a structural target"),
    index,
    role: role === undefined ? null : role,
  };
}

function place(list: LinkRow[], field: number, entry: Wanted, ordered: boolean): boolean {
  const at = list.findIndex((link) => link.target === entry.target);
  if (at >= 0 && entry.index === undefined && list[at]!.role === entry.role) return false;
  if (at >= 0 && entry.index === at && list[at]!.role === entry.role) return false;
  if (at >= 0) list.splice(at, 1);
  const link: LinkRow = { field, target: entry.target, index: 0, role: entry.role };
  const position = entry.index ?? (at >= 0 ? at : list.length);
  if (ordered && position > list.length)
    throw new KipError(
      "ConstraintViolation",
      `index ${position} would leave a gap: the field has ${list.length} entries`,
    );
  list.splice(position, 0, link);
  return true;
}

/** Applies removals, then additions; true when any field changed. */
export function changeLinks(
  transaction: Transaction,
  eid: number,
  set: readonly StructuralLink[],
  unset: readonly StructuralLink[],
): boolean {
  const { writer } = transaction;
  const edited = new Map<string, { readonly field: number; readonly list: LinkRow[]; changed: boolean }>();
  const listOf = (
    name: string,
  ): { readonly field: number; readonly list: LinkRow[]; changed: boolean; readonly ordered: boolean } => {
    const { lineage, ordered } = fieldOf(transaction, eid, name);
    let entry = edited.get(lineage);
    if (entry === undefined) {
      const field = writer.symbolOrNew(lineage);
      entry = { field, list: [...writer.edges({ fields: [field], sources: [eid] })], changed: false };
      edited.set(lineage, entry);
    }
    return Object.assign(entry, { ordered });
  };
  for (const link of unset) {
    const entry = listOf(textOfScalar(link.field, "a structural field"));
    const target = writer.canonical(refOf(transaction, link.target, "a structural target"));
    const at = entry.list.findIndex((row) => row.target === target);
    if (at < 0) continue;
    entry.list.splice(at, 1);
    entry.changed = true;
  }
  for (const link of set) {
    const entry = listOf(textOfScalar(link.field, "a structural field"));
    const found = wanted(transaction, link, entry.ordered);
    if (place(entry.list, entry.field, { ...found, target: writer.canonical(found.target) }, entry.ordered))
      entry.changed = true;
  }
  let changed = false;
  for (const { field, list, changed: dirty } of edited.values()) {
    if (!dirty) continue;
    changed = true;
    transaction.linked.add(eid);
    writer.removeLinks(eid, field);
    list.forEach((link, index) => writer.addLink(eid, { field, target: link.target, index, role: link.role }));
  }
  return changed;
}

/** Adds links of a built-in field to a record that was just created. */
export function linkRecord(
  transaction: Transaction,
  eid: number,
  name: string,
  targets: readonly { readonly id: number; readonly role?: string }[],
): void {
  if (targets.length === 0) return;
  transaction.linked.add(eid);
  const field = transaction.writer.symbolOrNew(CORE_FIELD + name);
  targets.forEach((target, index) =>
    transaction.writer.addLink(eid, { field, target: target.id, index, role: target.role ?? null }),
  );
}

export function requireKind(eid: number, kind: number, what: string): number {
  if (kindOf(eid) !== kind)
    throw new KipError(
      "StructuralReferenceInvalid",
      `${what} must be a ${KIND_NAMES[kind]!}, and ${formatId(eid)} is not`,
    );
  return eid;
}
