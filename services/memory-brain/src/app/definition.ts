/** The body of DEFINE as a definition of the draft package. */
import { KipError, type Define, type Json, type JsonObject } from "@mainspring/kip";
import { dataOf } from "../domain/query/scalar.ts";
import type { SchemaEnvironment } from "../domain/schema-environment.ts";
import {
  DRAFT_PACKAGE_REF,
  type DraftSymbol,
  type ElementConstraint,
  type FieldRule,
} from "../domain/schema-package.ts";

/** A constraint as DEFINE takes it: a type's name, a list of them, or the full form. */
function constraint(environment: SchemaEnvironment, value: Json, what: string): ElementConstraint {
  const given: ElementConstraint =
    typeof value === "string"
      ? { concept_types: [value] }
      : Array.isArray(value)
        ? { concept_types: value as string[] }
        : (value as ElementConstraint);
  const unknown = Object.keys(given).find(
    (key) => !["concept_types", "kinds", "literal_types", "nullable", "format"].includes(key),
  );
  if (unknown !== undefined)
    throw new KipError("SchemaFieldNotFound", `${what} has no member ${JSON.stringify(unknown)}`, {
      hint: "Write a type, a list of types, or {concept_types, kinds, literal_types, nullable, format}.",
    });
  for (const list of [given.concept_types, given.kinds, given.literal_types]) {
    if (list !== undefined && !(Array.isArray(list) && list.every((entry) => typeof entry === "string")))
      throw new KipError("TypeMismatch", `${what} takes lists of names`);
  }
  for (const name of given.concept_types ?? []) environment.type(name);
  return given;
}

const MEMBERS = {
  predicate: {
    needed: ["description", "subject", "object"],
    others: ["functional", "functional_by"],
    hint: 'DEFINE PREDICATE "name" {description: "…", subject: "Type", object: ["Type", "Type"], functional: true}',
  },
  type: {
    needed: ["description"],
    others: ["attributes"],
    hint: 'DEFINE CONCEPT TYPE "Name" {description: "…", attributes: {field: "string"}}',
  },
};
/** Values that are none: a text of spaces says nothing. */
const isMissing = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "string" && value.trim() === "");

/** All that is wrong with the names of the members at once, with the members that there are. */
function checkMembers(node: Define, body: JsonObject): void {
  const { needed, others, hint } = MEMBERS[node.what];
  const names = Object.keys(body);
  if (names.some((name) => ["open_world", "complete", "boolean_completeness"].includes(name)))
    throw new KipError("ConstraintViolation", "a draft predicate is open and never complete");
  const what = node.what === "type" ? "DEFINE CONCEPT TYPE" : "DEFINE PREDICATE";
  const options = {
    hint: `Its members are ${needed.join(", ")} and, where wanted, ${others.join(", ")}: ${hint}`,
  };
  const unknown = names.filter((name) => !needed.includes(name) && !others.includes(name));
  const missing = needed.filter((name) => isMissing(body[name]));
  const lacks = missing.length === 0 ? "" : `needs ${missing.join(", ")}`;
  if (unknown.length > 0) {
    const none = `has no member ${unknown.map((name) => JSON.stringify(name)).join(" or ")}`;
    throw new KipError("SchemaFieldNotFound", `${what} ${[none, lacks].filter(Boolean).join(", and ")}`, options);
  }
  if (lacks !== "") throw new KipError("ConstraintViolation", `${what} ${lacks}`, options);
}

/** What DEFINE adds to the draft package. Throws what its body lacks, and what it has too much. */
export function definitionOf(environment: SchemaEnvironment, node: Define): DraftSymbol["definition"] {
  const body = dataOf(node.body) as JsonObject;
  checkMembers(node, body);
  const { description } = body;
  if (typeof description !== "string") throw new KipError("ConstraintViolation", "description must be a text");
  const common = { ref: `${DRAFT_PACKAGE_REF}/${node.name}`, name: node.name, description };
  if (node.what === "type") {
    const fields = (body["attributes"] ?? {}) as unknown as Readonly<Record<string, FieldRule | FieldRule["type"]>>;
    const rules = Object.entries(fields).map(([name, rule]) => [
      name,
      { ...(typeof rule === "string" || Array.isArray(rule) ? { type: rule } : (rule as FieldRule)), required: false },
    ]);
    return {
      ...common,
      kind: "ConceptType",
      attributes: { open: true, fields: Object.fromEntries(rules) as Record<string, FieldRule> },
    };
  }
  const { functional, functional_by: by } = body;
  if (functional !== undefined && typeof functional !== "boolean")
    throw new KipError("TypeMismatch", "functional must be true or false");
  if (by !== undefined && by !== "object_type")
    throw new KipError("ConstraintViolation", 'functional_by is "object_type"');
  return {
    ...common,
    kind: "PredicateType",
    subject: constraint(environment, body["subject"]!, "subject"),
    object: constraint(environment, body["object"]!, "object"),
    ...(functional === undefined ? {} : { functional }),
    ...(by === undefined ? {} : { functional_by: by }),
    open_world: true,
    complete: false,
  };
}
