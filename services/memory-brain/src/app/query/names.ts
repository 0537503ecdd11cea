import { nearest } from "@mainspring/kernel";
import { KipError } from "@mainspring/kip";
import type { Names } from "../../domain/query/compile.ts";
import type { SchemaEnvironment, Symbol } from "../../domain/schema-environment.ts";
import type { GraphView } from "../../ports/space-graph.ts";
import { CORE_FIELD, CORE_FIELDS } from "../render.ts";

export const EVIDENCE_CLASS = "kip://core/evidence_class/";
export const ACTIVITY_CLASS = "kip://core/activity_class/";

/** Names of a query as the numbers that the store knows them by. A name without data has no number, and matches nothing. */
export function namesOf(view: GraphView, environment: SchemaEnvironment): Names {
  const ids = (symbol: Symbol): number[] => symbol.lineages.flatMap((lineage) => view.symbol(lineage) ?? []);
  return {
    typeIds: (name) => ids(environment.type(name)),
    predicateIds: (name) => ids(environment.predicate(name)),
    predicateRef: (name) => environment.predicate(name).ref,
    classIds: (name) => [EVIDENCE_CLASS, ACTIVITY_CLASS].flatMap((prefix) => view.symbol(prefix + name) ?? []),
    field: (name) => {
      if ((CORE_FIELDS as readonly string[]).includes(name))
        return { ids: [view.symbol(CORE_FIELD + name) ?? []].flat(), computed: undefined };
      const symbol = environment.find("StructuralFieldDefinition", name);
      if (symbol === undefined) {
        const known = [
          ...CORE_FIELDS,
          ...environment.list("StructuralFieldDefinition").map((entry) => entry.definition.name),
        ];
        const near = nearest(name, known);
        throw new KipError(
          "SchemaSymbolNotFound",
          `there is no structural field ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`,
        );
      }
      const local = symbol.definition.name;
      const computed =
        local === "derived_from" || local === "compiled_from"
          ? "derived_from"
          : local === "consolidated_to" || local === "compiled_by"
            ? local
            : undefined;
      return { ids: ids(symbol), computed };
    },
  };
}
