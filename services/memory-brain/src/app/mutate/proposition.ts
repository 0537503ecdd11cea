/** ENSURE PROPOSITION: the tuple's identity, found or created. */
import { KipError, literalIdentity, type AnyTuple, type Ensure, type JsonScalar, type Term } from "@mainspring/kip";
import { STATE, type PropositionBody } from "../../domain/element.ts";
import { formatId, KIND, requireId } from "../../domain/element-id.ts";
import { dataOf, textOfScalar } from "../../domain/query/scalar.ts";
import { identify } from "./concept.ts";
import type { Transaction } from "./transaction.ts";

/** An endpoint, or undefined while a handle that it needs has no element yet. */
type Endpoint =
  | { readonly eid: number; readonly literal?: undefined }
  | { readonly eid?: undefined; readonly literal: JsonScalar };

function endpoint(transaction: Transaction, term: Term): Endpoint | undefined {
  switch (term.k) {
    case "variable": {
      const eid = transaction.handleOf(term.name);
      return eid === undefined ? undefined : { eid };
    }
    case "element":
      return { eid: requireId(term.id) };
    case "literal":
      return { literal: typeof term.value === "string" ? term.value.normalize("NFC") : term.value };
    case "object": {
      if (term.at < 0) throw new KipError("TypeMismatch", "an object cannot stand in a proposition");
      const { eid } = identify(transaction, term);
      if (eid === undefined)
        throw new KipError("NotFoundOrNotVisible", "the concept that the tuple names does not exist");
      return { eid };
    }
    case "tuple": {
      const eid = ensureTuple(transaction, term)?.eid;
      return eid === undefined ? undefined : { eid };
    }
    case "tuple_id":
      return { eid: requireId(textOrId(term)) };
    case "array":
      throw new KipError("TypeMismatch", "an array cannot stand in a proposition");
    case "parameter":
      throw new KipError("ReferenceError", `parameter :${term.name} is not bound`, { offset: term.at });
  }
}

function textOrId(term: Extract<Term, { k: "tuple_id" }>): string {
  return term.id.k === "element" ? term.id.id : textOfScalar(term.id, "an element id");
}

/** The variables that a tuple waits for. */
export function firstUnbound(transaction: Transaction, tuple: AnyTuple): string | undefined {
  if (tuple.k === "tuple_id") return undefined;
  for (const term of [tuple.subject, tuple.object]) {
    if (term.k === "variable" && transaction.handleOf(term.name) === undefined) return term.name;
    if (term.k === "tuple") {
      const inner = firstUnbound(transaction, term);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

/** The proposition of a tuple, created where it does not exist; undefined while a handle is missing. */
export function ensureTuple(
  transaction: Transaction,
  tuple: AnyTuple,
): { readonly eid: number; readonly created: boolean } | undefined {
  if (tuple.k === "tuple_id")
    throw new KipError("InvalidSyntax", "a tuple by id names a proposition that exists; it cannot be created", {
      offset: tuple.at,
    });
  if (tuple.predicate.k === "variable" || tuple.predicate.k === "raw_path")
    throw new KipError("InvalidSyntax", "the predicate of a new proposition is exact", { offset: tuple.at });
  const subject = endpoint(transaction, tuple.subject);
  const object = endpoint(transaction, tuple.object);
  if (subject === undefined || object === undefined) return undefined;
  if (subject.eid === undefined) throw new KipError("TypeMismatch", "a subject must be an element, not a literal");
  const { writer } = transaction;
  const symbol = transaction.environment.predicate(textOfScalar(tuple.predicate, "a predicate"));
  const type = writer.symbolOrNew(symbol.lineage);
  const types =
    symbol.lineages.length === 1 ? [type] : symbol.lineages.flatMap((lineage) => writer.symbol(lineage) ?? []);
  const a = writer.canonical(subject.eid);
  const b = object.eid === undefined ? null : writer.canonical(object.eid);
  const literal = object.eid === undefined ? literalIdentity(object.literal) : null;
  const found = writer.propositions({
    anyState: true,
    types,
    subjects: [a],
    ...(b === null ? { literals: [literal!] } : { objects: [b] }),
  });
  if (found.length > 0) return { eid: known(transaction, Math.min(...found.map((row) => row.eid))), created: false };
  const eid = writer.allocate(KIND.proposition);
  const body: PropositionBody = {
    predicate_ref: symbol.ref,
    subject: subject.eid,
    ...(object.eid === undefined ? { literal: object.literal } : { object: object.eid }),
  };
  transaction.create(eid, { type, a, b, literal, body }, { schema_ref: symbol.ref });
  transaction.index(eid, true);
  return { eid, created: true };
}

/** A tuple that exists; what is ensured is wanted again, unless it was tombstoned. */
function known(transaction: Transaction, eid: number): number {
  const state = transaction.head(eid)?.state;
  if (state === STATE.tombstoned) throw new KipError("InvalidLifecycleTransition", `${formatId(eid)} is tombstoned`);
  if (state === STATE.archived) transaction.restore(transaction.row(eid));
  return eid;
}

export function ensureStatement(transaction: Transaction, node: Ensure): number | undefined {
  if (node.expectNew !== undefined && dataOf(node.expectNew) !== 0)
    throw new KipError("ConstraintViolation", "ENSURE PROPOSITION takes EXPECT VERSION 0 only");
  const found = ensureTuple(transaction, node.tuple);
  if (found === undefined) return undefined;
  if (node.expectNew !== undefined && !found.created)
    throw new KipError("VersionConflict", `the proposition exists: ${formatId(found.eid)}`);
  return found.eid;
}
