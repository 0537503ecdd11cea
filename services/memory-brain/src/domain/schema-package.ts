import type { Json, JsonObject } from "@mainspring/kip";

export type ValueType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "timestamp" | "null";
export interface FieldRule {
  readonly type: ValueType | readonly ValueType[];
  readonly required?: boolean;
  readonly mutable?: boolean;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
}
export interface ElementConstraint {
  readonly concept_types?: readonly string[];
  readonly kinds?: readonly string[];
  readonly literal_types?: readonly ValueType[];
  readonly nullable?: boolean;
  readonly format?: string;
}
export type DefinitionKind = "ConceptType" | "PredicateType" | "FacetDefinition" | "StructuralFieldDefinition";
interface CommonDefinition {
  readonly ref: string;
  readonly name: string;
  readonly description: string;
}
export interface TypeDefinition extends CommonDefinition {
  readonly kind: "ConceptType";
  readonly attributes: { readonly open: boolean; readonly fields: Readonly<Record<string, FieldRule>> };
}
export interface PredicateDefinition extends CommonDefinition {
  readonly kind: "PredicateType";
  readonly subject: ElementConstraint;
  readonly object: ElementConstraint;
  readonly functional?: boolean;
  readonly functional_by?: "object_type";
  readonly open_world?: boolean;
  readonly complete?: boolean;
}
export interface FacetDefinition extends CommonDefinition {
  readonly kind: "FacetDefinition";
  readonly closed: boolean;
  readonly immutable?: boolean;
  readonly guarded?: boolean;
  readonly computed?: readonly string[];
  readonly applicable_to: ElementConstraint;
  readonly fields: Readonly<Record<string, FieldRule>>;
}
export interface StructuralDefinition extends CommonDefinition {
  readonly kind: "StructuralFieldDefinition";
  readonly source: ElementConstraint;
  readonly target: ElementConstraint;
  readonly cardinality: { readonly min: number; readonly max: number | null };
  readonly ordered: boolean;
  readonly computed?: boolean;
}
export type Definition = TypeDefinition | PredicateDefinition | FacetDefinition | StructuralDefinition;

export interface SchemaPackage {
  readonly format: "KIP-Schema-Package";
  readonly manifest: {
    readonly package_id: string;
    readonly version: string;
    readonly package_ref: string;
    /** The public package whose symbols these are; names resolve under both ids, and data match under this one. */
    readonly lineage_of?: string;
    readonly description: string;
  };
  readonly dependencies: readonly string[];
  readonly definitions: {
    readonly concept_types: readonly TypeDefinition[];
    readonly predicates: readonly PredicateDefinition[];
    readonly facets: readonly FacetDefinition[];
    readonly structural_fields: readonly StructuralDefinition[];
  };
  readonly aliases: JsonObject;
  readonly integrity: { readonly canonicalization: string; readonly content_digest: string };
}

/** A symbol that a Space defined for itself. */
export interface DraftSymbol {
  readonly definition: TypeDefinition | PredicateDefinition;
  readonly seq: number;
  /** The exact reference that the owner promoted it to. */
  readonly promotedTo: string | undefined;
}

export const DRAFT_PACKAGE_ID = "kip://local/draft";
export const DRAFT_PACKAGE_REF = "kip://local/draft@0.0.0";
