/** CREATE CONCEPT and UPSERT CONCEPT, and what a change of a concept's own state means. */
import { nearest } from "@mainspring/kernel";
import {
  KipError,
  sameJson,
  type Changes,
  type CreateConcept,
  type Json,
  type JsonObject,
  type PatternObject,
  type Upsert,
} from "@mainspring/kip";
import type { ConceptBody, ElementRow } from "../../domain/element.ts";
import { STATE } from "../../domain/element.ts";
import { formatId, KIND, kindOf, requireId } from "../../domain/element-id.ts";
import { checkNames, checkValues, type FieldSet } from "../../domain/field-check.ts";
import { dataOf, textOfScalar } from "../../domain/query/scalar.ts";
import type { TypeDefinition } from "../../domain/schema-package.ts";
import type { Symbol } from "../../domain/schema-environment.ts";
import { changeFacets } from "./facets.ts";
import { checkGuards } from "./guards.ts";
import { changeLinks } from "./links.ts";
import type { Transaction } from "./transaction.ts";
import { objectOf, textOf, type OwnState } from "./values.ts";

const attributeSet = (definition: TypeDefinition): FieldSet => ({
  name: definition.name,
  open: definition.attributes.open,
  fields: definition.attributes.fields,
});

const PROTECTED = ["id", "kind", "space_id", "version", "_system", "created_at", "updated_at", "state", "merged_into"];

/** Fields that SET FIELDS never writes, with the code for each. */
export function refuseProtected(name: string): void {
  if (PROTECTED.includes(name)) throw new KipError("ProtectedSystemField", `${name} is written by the engine alone`);
  if (name === "governance" || name === "canonical_id")
    throw new KipError("ProtectedGovernanceField", `${name} belongs to governance`);
  if (name === "retention")
    throw new KipError("ProtectedGovernanceField", "retention is written by SET RETENTION", {
      hint: "Use SET RETENTION.",
    });
}

interface OwnFields {
  readonly name?: string | null;
  readonly key?: string;
  readonly aliases?: readonly string[];
}

function ownFields(values: JsonObject, creating: boolean): OwnFields {
  const fields: { name?: string | null; key?: string; aliases?: readonly string[] } = {};
  for (const name of Object.keys(values)) {
    refuseProtected(name);
    if (name === "schema_ref" || (name === "key" && !creating))
      throw new KipError("ImmutableField", `${name} is fixed at creation`);
    if (name === "name") fields.name = textOf(values, name) ?? null;
    else if (name === "key") fields.key = textOf(values, name) ?? "";
    else if (name === "aliases") {
      const list = values[name];
      if (!Array.isArray(list) || !list.every((entry) => typeof entry === "string"))
        throw new KipError("TypeMismatch", "aliases must be a list of strings");
      fields.aliases = list;
    } else {
      const near = nearest(name, ["name", "key", "aliases"]);
      throw new KipError(
        "SchemaFieldNotFound",
        `a Concept has no field ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`,
        {
          hint: "Its own data go into SET ATTRIBUTES.",
        },
      );
    }
  }
  return fields;
}

function typeNumber(transaction: Transaction, symbol: Symbol): number {
  return transaction.writer.symbolOrNew(symbol.lineage);
}

/** The concept that holds a key under a type, merges followed. */
export function byKey(transaction: Transaction, symbol: Symbol<TypeDefinition>, key: string): number | undefined {
  for (const lineage of symbol.lineages) {
    const pending = transaction.keys.get(`${lineage} ${key}`);
    if (pending !== undefined) return pending;
    const type = transaction.writer.symbol(lineage);
    const found =
      type === undefined ? [] : transaction.writer.find({ kind: KIND.concept, types: [type], key, anyState: true });
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

export function createConcept(transaction: Transaction, node: CreateConcept, eid: number): void {
  if (node.type === undefined) throw new KipError("IdentitySelectorRequired", "CREATE CONCEPT needs a TYPE");
  const symbol = transaction.environment.type(textOfScalar(node.type, "TYPE"));
  const fields = ownFields(objectOf(transaction, node.changes.fields), true);
  const name = node.name === undefined ? (fields.name ?? null) : textOfScalar(node.name, "NAME");
  if (fields.key !== undefined && byKey(transaction, symbol, fields.key) !== undefined) {
    throw new KipError(
      "IdentityConflict",
      `a ${symbol.definition.name} with the key ${JSON.stringify(fields.key)} exists`,
    );
  }
  writeNew(transaction, eid, symbol, fields.key ?? null, name, fields.aliases, node.changes);
}

function writeNew(
  transaction: Transaction,
  eid: number,
  symbol: Symbol<TypeDefinition>,
  key: string | null,
  name: string | null,
  aliases: readonly string[] | undefined,
  changes: Changes,
): void {
  const type = typeNumber(transaction, symbol);
  const attributes = objectOf(transaction, changes.attributes);
  const set = attributeSet(symbol.definition);
  checkNames(Object.keys(attributes), set, undefined);
  checkValues(attributes, set);
  const { facets } = changeFacets(transaction, { eid, type, facets: undefined }, changes);
  const body: ConceptBody = {
    schema_ref: symbol.ref,
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    ...(aliases === undefined ? {} : { aliases }),
    ...(facets === undefined ? {} : { facets }),
  };
  transaction.create(eid, { type, key, name, body }, { schema_ref: symbol.ref });
  transaction.index(eid, true);
  changeLinks(transaction, eid, changes.structural ?? [], []);
}

/** Applies changes to a concept; the planes that changed are raised. False: nothing was different. */
export function changeConcept(
  transaction: Transaction,
  row: ElementRow<ConceptBody>,
  changes: Changes,
  own?: OwnState,
): boolean {
  const symbol = transaction.environment.type(row.body.schema_ref);
  const set = attributeSet(symbol.definition);
  const planes: string[] = [];
  const fields = ownFields(objectOf(transaction, changes.fields, own), false);
  const before = row.body.attributes ?? {};
  const values = objectOf(transaction, changes.attributes, own);
  const removed = changes.unsetAttributes ?? [];
  const written = Object.keys(values).filter(
    (name) => before[name] === undefined || !sameJson(before[name], values[name]!),
  );
  checkNames(written, set, before);
  checkNames(removed, set, before);
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !removed.includes(name)));
  const attributes: Record<string, Json> = { ...kept, ...values };
  checkValues(attributes, set);
  if (!sameJson(before, attributes)) planes.push("ATTRIBUTES");
  const { facets, touched } = changeFacets(
    transaction,
    { eid: row.eid, type: row.type, facets: row.body.facets },
    changes,
    own,
  );
  planes.push(...touched.map((name) => `FACET ${name}`));
  if (changeLinks(transaction, row.eid, changes.structural ?? [], changes.unsetStructural ?? []))
    planes.push("STRUCTURAL");
  const name = fields.name === undefined ? row.name : fields.name;
  const aliases = fields.aliases ?? row.body.aliases;
  const renamed = name !== row.name || !sameJson([...(aliases ?? [])], [...(row.body.aliases ?? [])]);
  if (planes.length === 0 && !renamed) return false;
  const body: ConceptBody = {
    ...row.body,
    attributes,
    ...(facets === undefined ? {} : { facets }),
    ...(aliases === undefined ? {} : { aliases }),
  };
  transaction.save({ ...row, name, body }, planes, "update", {
    touched: [...written, ...removed, ...(renamed ? ["name"] : [])],
  });
  if (renamed || planes.includes("ATTRIBUTES")) transaction.index(row.eid, false);
  return true;
}

interface Identity {
  readonly eid: number | undefined;
  readonly symbol: Symbol<TypeDefinition> | undefined;
  readonly key: string | undefined;
}

function matchText(match: PatternObject, key: string): string | undefined {
  const member = match.members.find((entry) => entry.key === key);
  if (member === undefined) return undefined;
  const value = dataOf(member.value);
  if (typeof value !== "string") throw new KipError("TypeMismatch", `MATCH ${key} must be a string`);
  return value;
}

/** What a MATCH names: the concept that is there, or the identity of one to create. */
export function identify(transaction: Transaction, match: PatternObject): Identity {
  const unknown = match.members.find((member) => !["id", "type", "key", "name"].includes(member.key));
  if (unknown !== undefined)
    throw new KipError("SchemaFieldNotFound", `MATCH has no member ${JSON.stringify(unknown.key)}`);
  if (match.members.some((member) => member.key === "name"))
    throw new KipError("NameIdentityForbidden", "a concept is not matched by its name");
  const idMember = match.members.find((member) => member.key === "id");
  if (idMember !== undefined) {
    const id = idMember.value.k === "element" ? idMember.value.id : matchText(match, "id")!;
    const eid = transaction.writer.canonical(requireId(id));
    if (kindOf(eid) !== KIND.concept || transaction.writer.head(eid) === undefined)
      throw new KipError("NotFoundOrNotVisible", `there is no concept ${id}`);
    return { eid, symbol: undefined, key: undefined };
  }
  const key = matchText(match, "key");
  const type = matchText(match, "type");
  if (key === undefined)
    throw new KipError("IdentitySelectorRequired", "a concept is matched by id, or by type and key");
  if (type !== undefined) {
    const symbol = transaction.environment.type(type);
    return { eid: byKey(transaction, symbol, key), symbol, key };
  }
  const found = transaction.writer.find({ kind: KIND.concept, key, anyState: true });
  if (found.length > 1)
    throw new KipError(
      "IdentityConflict",
      `the key ${JSON.stringify(key)} fits ${found.length} concepts; name the type`,
    );
  if (found.length === 0)
    throw new KipError("IdentitySelectorRequired", "a concept that does not exist yet is matched by type and key");
  return { eid: found[0], symbol: undefined, key };
}

export function upsertConcept(transaction: Transaction, node: Upsert, eid: number): void {
  const exists = transaction.writer.head(eid) !== undefined;
  if (!exists) {
    checkGuards(transaction, undefined, node.guards, formatId(eid));
    const { symbol, key } = identify(transaction, node.match);
    const fields = ownFields(objectOf(transaction, node.changes.fields), false);
    writeNew(transaction, eid, symbol!, key!, fields.name ?? null, fields.aliases, node.changes);
    return;
  }
  const row = transaction.target(eid) as ElementRow<ConceptBody>;
  if (row.state === STATE.tombstoned)
    throw new KipError("InvalidLifecycleTransition", `${formatId(eid)} is tombstoned`);
  checkGuards(transaction, row, node.guards, formatId(eid));
  // What is upserted is wanted again.
  if (row.state === STATE.archived) transaction.restore(row);
  changeConcept(transaction, transaction.row(eid) as ElementRow<ConceptBody>, node.changes);
}
