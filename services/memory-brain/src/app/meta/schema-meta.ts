/** DESCRIBE and LIST of schema: types, predicates, facets, structural fields, packages. */
import { nearest } from "@mainspring/kernel";
import { KipError, POLICIES, type Json, type JsonObject } from "@mainspring/kip";
import type { SchemaEnvironment, Symbol } from "../../domain/schema-environment.ts";
import { DRAFT_PACKAGE_REF, type DefinitionKind, type SchemaPackage } from "../../domain/schema-package.ts";
import { CORE_FIELDS } from "../render.ts";

export function describeSymbol(symbol: Symbol): JsonObject {
  return {
    ...(symbol.definition as unknown as JsonObject),
    lineage: symbol.lineage,
    package_ref: symbol.packageRef,
    matches: symbol.lineages,
  };
}

export function describePackage(environment: SchemaEnvironment, ref: string): JsonObject {
  if (ref === DRAFT_PACKAGE_REF || ref === "kip://local/draft") {
    return {
      package_ref: DRAFT_PACKAGE_REF,
      status: "active",
      symbols: environment.drafts.map((draft) => draft.definition.ref),
    };
  }
  const found = environment.packages.find(({ manifest }) =>
    [
      manifest.package_id,
      manifest.package_ref,
      manifest.lineage_of,
      `${manifest.lineage_of}@${manifest.version}`,
    ].includes(ref),
  );
  if (found === undefined) {
    const near = nearest(
      ref,
      environment.packages.map(({ manifest }) => manifest.package_ref),
    );
    throw new KipError(
      "SchemaPackageUnavailable",
      `there is no package ${JSON.stringify(ref)}${near === undefined ? "" : `; did you mean ${near}?`}`,
    );
  }
  return packageSummary(found);
}

function packageSummary(found: SchemaPackage): JsonObject {
  const { manifest, definitions, dependencies, integrity } = found;
  return {
    ...(manifest as unknown as JsonObject),
    status: "active",
    dependencies,
    integrity: integrity,
    symbols: Object.values(definitions).flatMap((list: readonly { readonly ref: string }[]) =>
      list.map((definition) => definition.ref),
    ),
  };
}

const LISTED: Readonly<Record<string, DefinitionKind>> = {
  TYPES: "ConceptType",
  PREDICATES: "PredicateType",
  FACETS: "FacetDefinition",
  "STRUCTURAL FIELDS": "StructuralFieldDefinition",
};

/** All rows of a listing, in a stable order. */
export function listRows(
  environment: SchemaEnvironment,
  spaceId: string,
  topic: string,
  status: string | undefined,
): Json[] {
  const kind = LISTED[topic];
  if (kind !== undefined) {
    const rows = environment.list(kind).map((symbol): Json => ({
      ref: symbol.ref,
      local_name: symbol.definition.name,
      package_ref: symbol.packageRef,
      status: symbol.packageRef === DRAFT_PACKAGE_REF ? "draft" : "active",
    }));
    if (topic !== "STRUCTURAL FIELDS") return rows;
    return [
      ...CORE_FIELDS.filter((name) => name !== "context_refs").map((name): Json => ({
        ref: `kip://core/${name}`,
        local_name: name,
        package_ref: "kip://core",
        status: "active",
      })),
      ...rows,
    ];
  }
  if (topic === "SPACES") return [{ ref: spaceId, local_name: spaceId, package_ref: null, status: "active" }];
  if (topic === "EPISTEMIC POLICIES") {
    return Object.entries(POLICIES).map(([id, version]): Json => ({
      ref: id,
      local_name: id,
      package_ref: null,
      status: "active",
      version,
    }));
  }
  const packages = environment.packages.map(({ manifest }): Json => ({
    ref: manifest.package_ref,
    local_name: manifest.package_id,
    package_ref: manifest.package_ref,
    status: "active",
  }));
  const drafts: Json = {
    ref: DRAFT_PACKAGE_REF,
    local_name: "kip://local/draft",
    package_ref: DRAFT_PACKAGE_REF,
    status: "active",
  };
  return status === undefined || status === "active" ? [...packages, drafts] : [];
}
