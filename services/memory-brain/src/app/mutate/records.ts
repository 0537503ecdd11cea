/** New Assertions, Evidence and Activities. */
import { nearest } from "@mainspring/kernel";
import {
  checkTimestamp,
  isObject,
  KipError,
  type CreateRecord,
  type Json,
  type JsonObject,
  type Mode,
  type Stance,
  type StructuralLink,
} from "@mainspring/kip";
import type { ActivityBody, ActivityStatus, AssertionBody, Citation, EvidenceBody } from "../../domain/element.ts";
import { canonicalJson } from "@mainspring/kip";
import { formatId } from "../../domain/element-id.ts";
import { textOfScalar } from "../../domain/query/scalar.ts";
import { ACTIVITY_CLASS, EVIDENCE_CLASS } from "../query/names.ts";
import { changeFacets } from "./facets.ts";
import { changeLinks, fieldOf, linkRecord, requireKind } from "./links.ts";
import { refuseProtected } from "./concept.ts";
import type { Transaction } from "./transaction.ts";
import { idOfJson, idsOfJson, objectOf, refOf, textOf, validTime } from "./values.ts";

const STANCES: readonly Stance[] = ["support", "reject", "uncertain"];
const MODES: readonly Mode[] = ["observed", "stated", "inferred", "predicted", "hypothetical", "imported"];
const EVIDENCE_CLASSES = [
  "observation",
  "user_statement",
  "agent_statement",
  "tool_result",
  "measurement",
  "message",
  "document",
  "web_resource",
  "external_assertion",
  "human_feedback",
  "derived_result",
  "outcome",
];
export const ACTIVITY_STATES: readonly ActivityStatus[] = ["pending", "running", "completed", "failed", "cancelled"];
const ROLES: readonly Citation["role"][] = ["support", "challenge", "context"];

function oneOf<T extends string>(value: Json | undefined, allowed: readonly T[], field: string, fallback?: T): T {
  if (value === undefined || value === null) {
    if (fallback !== undefined) return fallback;
    throw new KipError("ConstraintViolation", `${field} is required`);
  }
  if (typeof value !== "string") throw new KipError("TypeMismatch", `${field} must be a string`);
  if (!(allowed as readonly string[]).includes(value)) {
    const near = nearest(value, allowed);
    throw new KipError(
      "ConstraintViolation",
      `${field} must be one of ${allowed.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`,
    );
  }
  return value as T;
}

function known(values: JsonObject, fields: readonly string[], kind: string): void {
  for (const name of Object.keys(values)) {
    if (fields.includes(name)) continue;
    refuseProtected(name);
    const near = nearest(name, fields);
    throw new KipError(
      "SchemaFieldNotFound",
      `${kind} has no field ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`,
    );
  }
}

const optionalTime = (value: Json | undefined, field: string): string | undefined =>
  value === undefined || value === null ? undefined : checkTimestamp(value, field);

/** The values of an assertion's fields, as the statement or the sugar gives them. */
export interface AssertionInput {
  readonly proposition: number;
  readonly by: number;
  readonly stance: Json | undefined;
  readonly mode: Json | undefined;
  readonly confidence: Json | undefined;
  readonly at: Json | undefined;
  readonly valid: Json | undefined;
  readonly contexts: Json | undefined;
  readonly evidence: readonly Citation[];
}

export function citationsOf(json: Json | undefined): Citation[] {
  if (json === undefined || json === null) return [];
  return (Array.isArray(json) ? (json as Json[]) : [json]).map((entry) => {
    if (isObject(entry) && entry["role"] !== undefined)
      return { id: idOfJson({ id: entry["id"]! }, "evidence"), role: oneOf(entry["role"], ROLES, "role") };
    return { id: idOfJson(entry, "evidence"), role: "support" };
  });
}

export function writeAssertion(
  transaction: Transaction,
  eid: number,
  input: AssertionInput,
  node?: CreateRecord,
): void {
  const { writer } = transaction;
  const { confidence } = input;
  if (confidence !== undefined && confidence !== null) {
    if (typeof confidence !== "number") throw new KipError("TypeMismatch", "confidence must be a number");
    if (confidence < 0 || confidence > 1)
      throw new KipError("ConstraintViolation", "confidence must lie between 0 and 1");
  }
  const contexts = input.contexts === undefined || input.contexts === null ? [] : idsOfJson(input.contexts, "context");
  const evidence = [...new Map(input.evidence.map((citation) => [citation.id, citation])).values()];
  for (const citation of evidence) requireKind(citation.id, 3, "cited evidence");
  const { facets } =
    node === undefined
      ? { facets: undefined }
      : changeFacets(transaction, { eid, type: 0, facets: undefined }, node.changes);
  const body: AssertionBody = {
    stance: oneOf(input.stance, STANCES, "stance", "support"),
    mode: oneOf(input.mode, MODES, "mode"),
    asserted_at: optionalTime(input.at, "asserted_at") ?? transaction.timestamp,
    by: input.by,
    ...validTime(input.valid),
    ...(typeof confidence === "number" ? { confidence } : {}),
    ...(contexts.length === 0 ? {} : { contexts }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(facets === undefined ? {} : { facets }),
  };
  transaction.create(eid, { type: 0, a: input.proposition, b: writer.canonical(input.by), body });
  linkRecord(transaction, eid, "evidence", evidence);
  linkRecord(
    transaction,
    eid,
    "context_refs",
    contexts.map((id) => ({ id })),
  );
}

const ASSERTION_FIELDS = [
  "proposition",
  "asserted_by",
  "stance",
  "mode",
  "confidence",
  "asserted_at",
  "valid_time",
  "evidence",
  "context_refs",
];

function createAssertion(transaction: Transaction, eid: number, node: CreateRecord): void {
  const values = objectOf(transaction, node.changes.fields);
  known(values, ASSERTION_FIELDS, "an Assertion");
  for (const needed of ["proposition", "asserted_by"]) {
    if (values[needed] === undefined) throw new KipError("ConstraintViolation", `${needed} is required`);
  }
  const cited = (node.changes.structural ?? []).map((link): Citation => {
    fieldOf(transaction, eid, textOfScalar(link.field, "a structural field"));
    const options = objectOf(transaction, link.options);
    known(options, ["role"], "an evidence link");
    return { id: refOf(transaction, link.target, "evidence"), role: oneOf(options["role"], ROLES, "role", "support") };
  });
  const input: AssertionInput = {
    proposition: requireKind(idOfJson(values["proposition"], "proposition"), 1, "proposition"),
    by: requireKind(idOfJson(values["asserted_by"], "asserted_by"), 0, "asserted_by"),
    stance: values["stance"],
    mode: values["mode"],
    confidence: values["confidence"],
    at: values["asserted_at"],
    valid: values["valid_time"],
    contexts: values["context_refs"],
    evidence: [...citationsOf(values["evidence"]), ...cited],
  };
  writeAssertion(transaction, eid, input, node);
}

const EVIDENCE_FIELDS = [
  "evidence_class",
  "payload",
  "content_digest",
  "media_type",
  "observed_at",
  "source",
  "generated_by",
];

/** A payload as it is stored: given inline, or with its mode. */
function payloadOf(value: Json | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value) && (value["mode"] === "inline" || value["mode"] === "external")) {
    known(value, ["mode", "inline", "content_ref"], "a payload");
    return value;
  }
  return { mode: "inline", inline: value };
}

function single(
  transaction: Transaction,
  links: readonly StructuralLink[],
  eid: number,
  name: string,
  given: Json | undefined,
): number | undefined {
  const ids = given === undefined || given === null ? [] : [idOfJson(given, name)];
  for (const link of links) {
    const field = fieldOf(transaction, eid, textOfScalar(link.field, "a structural field"));
    if (field.name === name) ids.push(refOf(transaction, link.target, name));
  }
  if (new Set(ids).size > 1) throw new KipError("ConstraintViolation", `${name} names one element`);
  return ids[0];
}

export function writeEvidence(
  transaction: Transaction,
  eid: number,
  values: JsonObject,
  links: readonly StructuralLink[],
  node?: CreateRecord,
): void {
  known(values, EVIDENCE_FIELDS, "Evidence");
  const evidenceClass = oneOf(values["evidence_class"], EVIDENCE_CLASSES, "evidence_class");
  const payload = payloadOf(values["payload"]);
  const inline = payload?.["inline"];
  const given = textOf(values, "content_digest");
  const digest = inline === undefined ? given : transaction.digest(canonicalJson(inline));
  if (given !== undefined && digest !== given)
    throw new KipError("DigestMismatch", "content_digest is not that of the payload");
  const source = single(transaction, links, eid, "source", values["source"]);
  const generated = single(transaction, links, eid, "generated_by", values["generated_by"]);
  if (source !== undefined) requireKind(source, 0, "source");
  if (generated !== undefined) requireKind(generated, 4, "generated_by");
  const { facets } =
    node === undefined
      ? { facets: undefined }
      : changeFacets(transaction, { eid, type: 0, facets: undefined }, node.changes);
  const mediaType = textOf(values, "media_type");
  const body: EvidenceBody = {
    evidence_class: evidenceClass,
    observed_at: optionalTime(values["observed_at"], "observed_at") ?? transaction.timestamp,
    ...(payload === undefined ? {} : { payload }),
    ...(digest === undefined ? {} : { content_digest: digest }),
    ...(mediaType === undefined ? {} : { media_type: mediaType }),
    ...(source === undefined ? {} : { source }),
    ...(generated === undefined ? {} : { generated_by: generated }),
    ...(facets === undefined ? {} : { facets }),
  };
  transaction.create(eid, { type: transaction.writer.symbolOrNew(EVIDENCE_CLASS + evidenceClass), body });
  if (source !== undefined) linkRecord(transaction, eid, "source", [{ id: source }]);
  if (generated !== undefined) linkRecord(transaction, eid, "generated_by", [{ id: generated }]);
  transaction.index(eid, true);
}

export const ACTIVITY_FIELDS = [
  "activity_class",
  "started_at",
  "ended_at",
  "parameters_digest",
  "status",
  "inputs",
  "outputs",
  "associated_actors",
];

/** The links that an Activity's fields name; fields and SET STRUCTURAL come to the same. */
export function activityLinks(values: JsonObject): StructuralLink[] {
  return ["inputs", "outputs", "associated_actors"].flatMap((name) => {
    const given = values[name];
    if (given === undefined || given === null) return [];
    return idsOfJson(given, name).map((eid): StructuralLink => ({
      field: { k: "literal", value: name },
      target: { k: "element", id: formatId(eid) },
      options: undefined,
    }));
  });
}

export function activityTimes(values: JsonObject): Pick<ActivityBody, "started_at" | "ended_at" | "parameters_digest"> {
  const started = optionalTime(values["started_at"], "started_at");
  const ended = optionalTime(values["ended_at"], "ended_at");
  const digest = textOf(values, "parameters_digest");
  return {
    ...(started === undefined ? {} : { started_at: started }),
    ...(ended === undefined ? {} : { ended_at: ended }),
    ...(digest === undefined ? {} : { parameters_digest: digest }),
  };
}

function createActivity(transaction: Transaction, eid: number, node: CreateRecord): void {
  const values = objectOf(transaction, node.changes.fields);
  known(values, ACTIVITY_FIELDS, "an Activity");
  const activityClass = textOf(values, "activity_class");
  if (activityClass === undefined) throw new KipError("ConstraintViolation", "activity_class is required");
  const { facets } = changeFacets(transaction, { eid, type: 0, facets: undefined }, node.changes);
  const body: ActivityBody = {
    activity_class: activityClass,
    status: oneOf(values["status"], ACTIVITY_STATES, "status", "pending"),
    ...activityTimes(values),
    ...(facets === undefined ? {} : { facets }),
  };
  transaction.create(eid, { type: transaction.writer.symbolOrNew(ACTIVITY_CLASS + activityClass), body });
  changeLinks(transaction, eid, [...activityLinks(values), ...(node.changes.structural ?? [])], []);
  transaction.index(eid, true);
}

export function createRecord(transaction: Transaction, node: CreateRecord, eid: number): void {
  if (node.kind === "assertion") createAssertion(transaction, eid, node);
  else if (node.kind === "evidence")
    writeEvidence(transaction, eid, objectOf(transaction, node.changes.fields), node.changes.structural ?? [], node);
  else createActivity(transaction, eid, node);
}
