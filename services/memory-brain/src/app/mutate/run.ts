/**
 * One KML statement as a transaction. Handles are known before anything is written, so statements may refer forward:
 * first every creation gets its id, then propositions are found or made as their ends become known, then the statements
 * run in order, and at the end the whole is validated.
 */
import {
  KipError,
  type Assert,
  type CreateConcept,
  type CreateRecord,
  type Mutation,
  type Statement,
  type Upsert,
} from "@mainspring/kip";
import { formatId, KIND } from "../../domain/element-id.ts";
import { dataOf, textOfScalar } from "../../domain/query/scalar.ts";
import { createConcept, identify, upsertConcept } from "./concept.ts";
import { mergeStatement, purgePayloadStatement, purgeStatement, supersede, transitionStatement } from "./lifecycle.ts";
import { requireKind } from "./links.ts";
import { ensureStatement, ensureTuple, firstUnbound } from "./proposition.ts";
import { citationsOf, createRecord, writeAssertion } from "./records.ts";
import type { Transaction } from "./transaction.ts";
import { retentionStatement, updateStatement } from "./update.ts";
import { validateTransaction } from "./validate.ts";
import { objectOf, refOf } from "./values.ts";

/** A statement with the ids that were decided for it. */
interface Prepared {
  readonly node: Mutation;
  /** The element that it creates or matches. */
  eid: number | undefined;
  proposition: number | undefined;
  /** The client key resolved to an element that exists: nothing is written. */
  replayed: boolean;
}

function resolveClientKey(
  transaction: Transaction,
  node: CreateConcept | CreateRecord | Assert,
  key: string,
): number | undefined {
  const known = transaction.writer.clientKey(key);
  if (known === undefined) return undefined;
  if (known.digest !== transaction.contentDigest(node)) {
    throw new KipError(
      "ClientKeyConflict",
      `the client key ${JSON.stringify(key)} belongs to ${formatId(known.eid)}, which has other content`,
    );
  }
  return known.eid;
}

function clientKeyOf(node: CreateConcept | CreateRecord | Assert): string | undefined {
  if (node.k !== "assert") return node.clientKey === undefined ? undefined : textOfScalar(node.clientKey, "CLIENT KEY");
  const member = node.body.members.find((entry) => entry.key === "key");
  if (member === undefined) return undefined;
  const key = dataOf(member.value);
  if (typeof key !== "string") throw new KipError("TypeMismatch", "key must be a string");
  return key;
}

function prepareCreation(
  transaction: Transaction,
  prepared: Prepared,
  node: CreateConcept | CreateRecord | Assert,
): void {
  const key = clientKeyOf(node);
  const known = key === undefined ? undefined : resolveClientKey(transaction, node, key);
  const kind = node.k === "create_concept" ? KIND.concept : node.k === "assert" ? KIND.assertion : KIND[node.kind];
  prepared.replayed = known !== undefined;
  prepared.eid = known ?? transaction.writer.allocate(kind);
  if (node.handle !== undefined) transaction.setHandle(node.handle.name, prepared.eid);
  if (key !== undefined && known === undefined)
    transaction.writer.setClientKey(key, prepared.eid, transaction.contentDigest(node));
}

function prepareUpsert(transaction: Transaction, prepared: Prepared, node: Upsert): void {
  const { eid, symbol, key } = identify(transaction, node.match);
  prepared.eid = eid ?? transaction.writer.allocate(KIND.concept);
  if (eid === undefined) transaction.keys.set(`${symbol!.lineage} ${key!}`, prepared.eid);
  else if (transaction.keys.get(`${symbol?.lineage} ${key}`) === eid)
    throw new KipError("DuplicateMutationTarget", `${formatId(eid)} is upserted twice`);
  transaction.setHandle(node.handle.name, prepared.eid);
}

/** Propositions whose ends are known are found or made, until none is left. */
function preparePropositions(transaction: Transaction, all: readonly Prepared[]): void {
  let waiting = all.filter(({ node, replayed }) => node.k === "ensure" || (node.k === "assert" && !replayed));
  while (waiting.length > 0) {
    const before = waiting.length;
    waiting = waiting.filter((prepared) => {
      const { node } = prepared;
      if (node.k === "ensure") {
        const eid = ensureStatement(transaction, node);
        if (eid === undefined) return true;
        prepared.proposition = eid;
        if (node.handle !== undefined) transaction.setHandle(node.handle.name, eid);
      } else if (node.k === "assert") prepared.proposition = ensureTuple(transaction, node.tuple)?.eid;
      return prepared.proposition === undefined;
    });
    if (waiting.length < before) continue;
    const { tuple } = waiting[0]!.node as Assert;
    throw new KipError("ReferenceError", `?${firstUnbound(transaction, tuple) ?? ""} is not bound`, {
      offset: tuple.at,
    });
  }
}

function assertStatement(transaction: Transaction, node: Assert, eid: number, proposition: number): void {
  const values = objectOf(transaction, node.body);
  const by = node.body.members.find((member) => member.key === "by")!.value;
  writeAssertion(transaction, eid, {
    proposition,
    by: requireKind(refOf(transaction, by, "by"), KIND.concept, "by"),
    stance: values["stance"],
    mode: values["mode"],
    confidence: values["confidence"],
    at: values["at"],
    valid: values["valid"],
    contexts: values["context"],
    evidence: citationsOf(values["evidence"]),
  });
  if (node.superseding !== undefined) supersede(transaction, refOf(transaction, node.superseding, "SUPERSEDING"), eid);
}

function execute(transaction: Transaction, { node, eid, proposition, replayed }: Prepared): void {
  if (replayed) return;
  switch (node.k) {
    case "create_concept":
      return createConcept(transaction, node, eid!);
    case "create_record":
      return createRecord(transaction, node, eid!);
    case "upsert":
      return upsertConcept(transaction, node, eid!);
    case "ensure":
      return;
    case "assert":
      return assertStatement(transaction, node, eid!, proposition!);
    case "update":
      return updateStatement(transaction, node);
    case "transition":
      return transitionStatement(transaction, node);
    case "retention":
      return retentionStatement(transaction, node);
    case "purge":
      return purgeStatement(transaction, node);
    case "purge_payload":
      return purgePayloadStatement(transaction, node);
    case "merge":
      return mergeStatement(transaction, node);
  }
}

export function runMutation(transaction: Transaction, statement: Extract<Statement, { k: "mutate" }> | Mutation): void {
  const nodes = statement.k === "mutate" ? statement.statements : [statement];
  const all = nodes.map((node): Prepared => ({ node, eid: undefined, proposition: undefined, replayed: false }));
  for (const prepared of all) {
    const { node } = prepared;
    if (node.k === "create_concept" || node.k === "create_record" || node.k === "assert")
      prepareCreation(transaction, prepared, node);
    else if (node.k === "upsert") prepareUpsert(transaction, prepared, node);
  }
  preparePropositions(transaction, all);
  for (const prepared of all) execute(transaction, prepared);
  validateTransaction(transaction);
}
