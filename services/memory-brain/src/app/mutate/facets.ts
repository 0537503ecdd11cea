import { KipError, sameJson, type Changes, type Json, type JsonObject } from "@mainspring/kip";
import { KIND_NAMES, kindOf } from "../../domain/element-id.ts";
import { checkNames, checkValues, type FieldSet } from "../../domain/field-check.ts";
import type { FacetDefinition } from "../../domain/schema-package.ts";
import type { Transaction } from "./transaction.ts";
import { objectOf, type OwnState } from "./values.ts";
import type { Scalar } from "@mainspring/kip";
import { textOfScalar } from "../../domain/query/scalar.ts";

const setOf = (definition: FacetDefinition): FieldSet => ({
  name: definition.name,
  open: !definition.closed,
  fields: definition.fields,
});

function facetOf(transaction: Transaction, symbol: Scalar, eid: number, type: number): FacetDefinition {
  const { definition } = transaction.environment.facet(textOfScalar(symbol, "a facet"));
  const { kinds, concept_types: types } = definition.applicable_to;
  const kind = KIND_NAMES[kindOf(eid)];
  const lineage = kind === "Concept" ? transaction.writer.lineage(type) : "";
  const fits =
    kinds?.includes(kind) !== false &&
    (types === undefined || types.some((name) => transaction.environment.type(name).lineages.includes(lineage)));
  if (!fits) throw new KipError("ConstraintViolation", `the facet ${definition.name} does not apply to this ${kind}`);
  return definition;
}

function refuseComputed(definition: FacetDefinition, names: readonly string[]): void {
  const computed = names.find((name) => definition.computed?.includes(name));
  if (computed !== undefined) throw new KipError("ProtectedSystemField", `${definition.name}.${computed} is computed`);
}

/** The facets after the changes, with the names of those that were touched. */
export function changeFacets(
  transaction: Transaction,
  element: {
    readonly eid: number;
    readonly type: number;
    readonly facets: Readonly<Record<string, JsonObject>> | undefined;
  },
  changes: Changes,
  own?: OwnState,
): { readonly facets: Record<string, JsonObject> | undefined; readonly touched: readonly string[] } {
  if (changes.facets.length === 0 && changes.unsetFacets.length === 0) return { facets: element.facets, touched: [] };
  const facets: Record<string, JsonObject> = { ...element.facets };
  const touched: string[] = [];
  const edit = (
    symbol: Scalar,
    change: (before: JsonObject, definition: FacetDefinition) => Record<string, Json>,
  ): void => {
    const definition = facetOf(transaction, symbol, element.eid, element.type);
    const before = facets[definition.name] ?? {};
    const after = change(before, definition);
    checkValues(after, setOf(definition));
    if (sameJson(before, after)) return;
    facets[definition.name] = after;
    if (!touched.includes(definition.name)) touched.push(definition.name);
  };
  for (const removal of changes.unsetFacets) {
    edit(removal.facet, (before, definition) => {
      checkNames(removal.names, setOf(definition), before);
      return Object.fromEntries(Object.entries(before).filter(([name]) => !removal.names.includes(name)));
    });
  }
  for (const assignment of changes.facets) {
    edit(assignment.facet, (before, definition) => {
      const values = objectOf(transaction, assignment.values, own);
      const names = Object.keys(values).filter(
        (name) => before[name] === undefined || !sameJson(before[name], values[name]!),
      );
      refuseComputed(definition, names);
      checkNames(names, setOf(definition), before);
      return { ...before, ...values };
    });
  }
  return { facets: Object.keys(facets).length === 0 ? undefined : facets, touched };
}
