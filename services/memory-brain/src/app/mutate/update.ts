/** UPDATE and SET RETENTION. */
import { nearest } from "@mainspring/kernel";
import {
  checkTimestamp,
  KipError,
  sameJson,
  type Changes,
  type Json,
  type SetRetention,
  type Update,
} from "@mainspring/kip";
import type { ActivityBody, ConceptBody, ElementRow, Retention } from "../../domain/element.ts";
import { formatId, kindOf } from "../../domain/element-id.ts";
import { Renderer } from "../render.ts";
import { changeConcept, refuseProtected } from "./concept.ts";
import { changeFacets } from "./facets.ts";
import { checkGuards } from "./guards.ts";
import { selectTargets } from "./select.ts";
import type { Transaction } from "./transaction.ts";
import { objectOf, type OwnState } from "./values.ts";

const TERMINAL = ["completed", "failed", "cancelled"];

/** What may not be rewritten in a record; facets may always be. */
function refuseRewrite(row: ElementRow, changes: Changes): void {
  const names = (changes.fields?.members ?? []).map((member) => member.key);
  for (const name of names) refuseProtected(name);
  const own = names.length > 0 || changes.structural !== undefined || changes.unsetStructural !== undefined;
  if (changes.attributes !== undefined || changes.unsetAttributes !== undefined)
    throw new KipError("SchemaFieldNotFound", "only a Concept has attributes");
  if (!own) return;
  const id = formatId(row.eid);
  switch (kindOf(row.eid)) {
    case 1:
      throw new KipError("ImmutableField", `the tuple of ${id} is fixed`);
    case 2:
      throw new KipError("EpistemicRevisionRequired", `${id} is a claim and is not rewritten`);
    case 3:
      throw new KipError("EvidenceCorrectionRequired", `${id} is Evidence and is not rewritten`);
    case 4:
      if (TERMINAL.includes((row.body as ActivityBody).status))
        throw new KipError("ActivityTerminal", `${id} has ended`);
      throw new KipError("ImmutableField", `${id} is finalised by TRANSITION`, {
        hint: 'TRANSITION ref TO "running" SET FIELDS {…}.',
      });
    default:
  }
}

function ownState(transaction: Transaction, node: Update, row: ElementRow): OwnState {
  const renderer = new Renderer(transaction.writer, transaction.environment, transaction.spaceId, transaction.now);
  return {
    variable: node.target.k === "variable" ? node.target.name : undefined,
    read: (steps) => {
      const [first, ...rest] = steps as [string, ...string[]];
      if (first === "facets" && rest[0] !== undefined) rest[0] = renderer.facetName(rest[0]);
      let json: Json | undefined = renderer.field(row, first);
      for (const step of rest)
        json =
          typeof json === "object" && json !== null && Object.hasOwn(json, step)
            ? (json as Record<string, Json>)[step]
            : undefined;
      return json;
    },
  };
}

export function updateStatement(transaction: Transaction, node: Update): void {
  for (const selected of selectTargets(transaction, node.target, node.where, node.limit)) {
    const row = transaction.target(transaction.writer.canonical(selected));
    checkGuards(transaction, row, node.guards, formatId(row.eid));
    const own = ownState(transaction, node, row);
    if (kindOf(row.eid) === 0) {
      changeConcept(transaction, row as ElementRow<ConceptBody>, node.changes, own);
      continue;
    }
    refuseRewrite(row, node.changes);
    const { facets, touched } = changeFacets(
      transaction,
      { eid: row.eid, type: row.type, facets: row.body.facets },
      node.changes,
      own,
    );
    if (touched.length === 0 || facets === undefined) continue;
    transaction.save(
      { ...row, body: { ...row.body, facets } },
      touched.map((name) => `FACET ${name}`),
      "update",
    );
  }
}

const RETENTION_FIELDS = ["retention_class", "expires_at", "legal_hold"];

function retentionOf(transaction: Transaction, before: Retention, values: Readonly<Record<string, Json>>): Retention {
  for (const [name, value] of Object.entries(values)) {
    if (!RETENTION_FIELDS.includes(name)) {
      const near = nearest(name, RETENTION_FIELDS);
      throw new KipError(
        "SchemaFieldNotFound",
        `retention has no field ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`,
      );
    }
    if (name === "retention_class" && typeof value !== "string")
      throw new KipError("TypeMismatch", "retention_class must be a string");
    if (name === "expires_at" && value !== null) checkTimestamp(value, "expires_at");
    if (name !== "legal_hold") continue;
    if (typeof value !== "boolean") throw new KipError("TypeMismatch", "legal_hold must be true or false");
    if (value !== (before.legal_hold ?? false)) transaction.requirePrincipal(["owner"], "a legal hold");
  }
  return { ...before, ...(values as Retention) };
}

export function retentionStatement(transaction: Transaction, node: SetRetention): void {
  const values = objectOf(transaction, node.body);
  for (const selected of selectTargets(transaction, node.target, node.where, node.limit)) {
    const row = transaction.target(transaction.writer.canonical(selected));
    checkGuards(transaction, row, node.guards, formatId(row.eid));
    const before = row.body.retention ?? {};
    const after = retentionOf(transaction, before, values);
    if (sameJson(before as Json, after as Json)) continue;
    transaction.save({ ...row, body: { ...row.body, retention: after } }, ["RETENTION"], "retention");
  }
}
