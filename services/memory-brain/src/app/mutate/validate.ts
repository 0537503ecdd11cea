/** The graph as it would be committed: what is referenced exists and is of a kind and type that may be referenced so. */
import { checkTimestamp, KipError } from "@mainspring/kip";
import type { AssertionBody, ElementRow, PropositionBody } from "../../domain/element.ts";
import { STATE } from "../../domain/element.ts";
import { formatId, KIND_NAMES, kindOf } from "../../domain/element-id.ts";
import { typeOf } from "../../domain/field-check.ts";
import type { ElementConstraint } from "../../domain/schema-package.ts";
import { CORE_FIELD } from "../render.ts";
import type { Transaction } from "./transaction.ts";

function headOf(transaction: Transaction, eid: number): { readonly state: number; readonly type: number } {
  const head = transaction.head(eid);
  if (head === undefined || head.state === STATE.purged)
    throw new KipError("NotFoundOrNotVisible", `there is no element ${formatId(eid)}`);
  return head;
}

function allows(transaction: Transaction, constraint: ElementConstraint, eid: number): boolean {
  const { type } = headOf(transaction, eid);
  const { kinds, concept_types: types } = constraint;
  if (kinds?.includes(KIND_NAMES[kindOf(eid)]) === true) return true;
  if (types === undefined) return kinds === undefined && constraint.literal_types === undefined;
  if (kindOf(eid) !== 0) return false;
  const lineage = transaction.writer.lineage(type);
  return types.some((name) => transaction.environment.find("ConceptType", name)?.lineages.includes(lineage) === true);
}

function checkLiteral(constraint: ElementConstraint, body: PropositionBody, predicate: string): void {
  const value = body.literal ?? null;
  if (value === null) {
    if (constraint.nullable !== true) throw new KipError("ConstraintViolation", `${predicate} does not take null`);
    return;
  }
  const types = constraint.literal_types;
  const open = types === undefined && constraint.kinds === undefined && constraint.concept_types === undefined;
  if (open) return;
  const fits = types?.some(
    (type) =>
      type === typeOf(value) ||
      (type === "integer" && Number.isInteger(value)) ||
      (type === "timestamp" && typeof value === "string"),
  );
  if (fits !== true)
    throw new KipError("TypeMismatch", `${predicate} does not take ${typeOf(value)} ${JSON.stringify(value)}`);
  if (constraint.format === "timestamp" || (types?.includes("timestamp") === true && !types.includes("string")))
    checkTimestamp(value, predicate);
}

function checkProposition(transaction: Transaction, row: ElementRow<PropositionBody>): void {
  const { definition } = transaction.environment.predicate(row.body.predicate_ref);
  if (!allows(transaction, definition.subject, row.a!))
    throw new KipError("TypeMismatch", `${formatId(row.a!)} cannot be a subject of ${definition.name}`);
  if (row.b === null) checkLiteral(definition.object, row.body, definition.name);
  else if (!allows(transaction, definition.object, row.b))
    throw new KipError("TypeMismatch", `${formatId(row.b)} cannot be an object of ${definition.name}`);
}

function checkAssertion(transaction: Transaction, row: ElementRow<AssertionBody>): void {
  const proposition = headOf(transaction, row.a!);
  if (proposition.state === STATE.tombstoned)
    throw new KipError("NotFoundOrNotVisible", `${formatId(row.a!)} is tombstoned`);
  headOf(transaction, row.b!);
  for (const citation of row.body.evidence ?? []) headOf(transaction, citation.id);
  for (const context of row.body.contexts ?? []) headOf(transaction, context);
}

function checkLinks(transaction: Transaction, eid: number): void {
  const edges = transaction.writer.edges({ sources: [eid] });
  if (edges.length === 0) return;
  const source = headOf(transaction, eid);
  for (const [field, links] of Map.groupBy(edges, (edge) => edge.field)) {
    const lineage = transaction.writer.lineage(field);
    if (lineage.startsWith(CORE_FIELD)) {
      for (const link of links) headOf(transaction, link.target);
      continue;
    }
    const { definition } = transaction.environment.structural(lineage);
    const { max } = definition.cardinality;
    if (max !== null && links.length > max)
      throw new KipError("ConstraintViolation", `${definition.name} holds at most ${max}`, {
        details: { field: definition.name },
      });
    const types = definition.source.concept_types;
    if (types !== undefined) {
      const own = transaction.writer.lineage(source.type);
      if (!types.some((name) => transaction.environment.type(name).lineages.includes(own))) {
        throw new KipError("StructuralReferenceInvalid", `${formatId(eid)} cannot have ${definition.name}`);
      }
    }
    for (const link of links) {
      if (!allows(transaction, definition.target, link.target))
        throw new KipError("StructuralReferenceInvalid", `${definition.name} cannot point at ${formatId(link.target)}`);
    }
  }
}

/** Every structural field of the concept's type that needs a target has one. */
function checkMinimum(transaction: Transaction, row: ElementRow): void {
  for (const symbol of transaction.environment.required) {
    const { definition, lineages } = symbol;
    const own = transaction.writer.lineage(row.type);
    if (
      definition.source.concept_types?.some((name) => transaction.environment.type(name).lineages.includes(own)) !==
      true
    )
      continue;
    const fields = lineages.flatMap((lineage) => transaction.writer.symbol(lineage) ?? []);
    const count = fields.length === 0 ? 0 : transaction.writer.edges({ fields, sources: [row.eid] }).length;
    if (count < definition.cardinality.min)
      throw new KipError("ConstraintViolation", `${definition.name} needs at least ${definition.cardinality.min}`);
  }
}

export function validateTransaction(transaction: Transaction): void {
  for (const eid of transaction.unchecked) {
    const row = transaction.row(eid);
    switch (kindOf(eid)) {
      case 0:
        if (transaction.linked.has(eid)) checkLinks(transaction, eid);
        if (transaction.environment.required.length > 0) checkMinimum(transaction, row);
        break;
      case 1:
        if (transaction.isNew(eid)) checkProposition(transaction, row as ElementRow<PropositionBody>);
        break;
      case 2:
        if (transaction.isNew(eid)) checkAssertion(transaction, row as ElementRow<AssertionBody>);
        break;
      default:
        if (transaction.linked.has(eid)) checkLinks(transaction, eid);
    }
  }
}
