/**
 * The names that a Space knows. A definition is stored and validated by its exact reference `kip://path@version/symbol`
 * and matched by its lineage `kip://path/symbol`, so that an upgrade never splits memory. A promoted draft has a lineage
 * of its own that matches together with its target's.
 */
import { nearest } from "@mainspring/kernel";
import { KipError } from "@mainspring/kip";
import {
  DRAFT_PACKAGE_ID,
  DRAFT_PACKAGE_REF,
  type Definition,
  type DefinitionKind,
  type DraftSymbol,
  type FacetDefinition,
  type PredicateDefinition,
  type SchemaPackage,
  type StructuralDefinition,
  type TypeDefinition,
} from "./schema-package.ts";

export interface Symbol<D extends Definition = Definition> {
  readonly definition: D;
  readonly ref: string;
  readonly lineage: string;
  readonly packageRef: string;
  /** Every lineage whose data match this symbol: its own first, then those of drafts promoted to it. */
  readonly lineages: readonly string[];
}

interface Entry {
  readonly definition: Definition;
  readonly lineage: string;
  readonly packageRef: string;
  readonly lineages: string[];
}

const KIND_WORDS: Readonly<Record<DefinitionKind, string>> = {
  ConceptType: "type",
  PredicateType: "predicate",
  FacetDefinition: "facet",
  StructuralFieldDefinition: "structural field",
};

/** `kip://path@version/name` without its version. */
const lineageOfRef = (ref: string): string => ref.replace(/@[^/]+\//, "/");

export class SchemaEnvironment {
  readonly version: string;
  readonly packages: readonly SchemaPackage[];
  readonly drafts: readonly DraftSymbol[];
  /** By kind and any spelling: bare name, exact reference, lineage, public lineage. */
  readonly #entries = new Map<string, Entry[]>();
  readonly #symbols = new Map<Entry, Symbol>();

  constructor(packages: readonly SchemaPackage[], drafts: readonly DraftSymbol[]) {
    this.packages = packages;
    this.drafts = drafts;
    const promoted = drafts.filter((draft) => draft.promotedTo !== undefined).length;
    this.version = `env-${packages.length}.${drafts.length}.${promoted}`;
    for (const pack of packages) this.#addPackage(pack);
    for (const draft of drafts) this.#addDraft(draft);
  }

  #addPackage(pack: SchemaPackage): void {
    const { package_id: id, version, package_ref: ref, lineage_of: publicId } = pack.manifest;
    const { concept_types, predicates, facets, structural_fields } = pack.definitions;
    for (const definition of [...concept_types, ...predicates, ...facets, ...structural_fields]) {
      const lineage = `${publicId ?? id}/${definition.name}`;
      const spellings = [definition.name, definition.ref, `${id}/${definition.name}`];
      if (publicId !== undefined) spellings.push(lineage, `${publicId}@${version}/${definition.name}`);
      this.#add({ definition, lineage, packageRef: ref, lineages: [lineage] }, spellings);
    }
  }

  #addDraft(draft: DraftSymbol): void {
    const { definition, promotedTo } = draft;
    const lineage = `${DRAFT_PACKAGE_ID}/${definition.name}`;
    const spellings = [definition.name, definition.ref, lineage];
    const target = promotedTo === undefined ? undefined : this.#find(definition.kind, promotedTo)[0];
    if (target === undefined) {
      this.#add({ definition, lineage, packageRef: DRAFT_PACKAGE_REF, lineages: [lineage] }, spellings);
      return;
    }
    target.lineages.push(lineage);
    for (const spelling of spellings) {
      const found = this.#find(definition.kind, spelling);
      if (!found.includes(target)) this.#entries.set(`${definition.kind} ${spelling}`, [...found, target]);
    }
  }

  #add(entry: Entry, spellings: readonly string[]): void {
    for (const spelling of new Set(spellings)) {
      const key = `${entry.definition.kind} ${spelling}`;
      const found = this.#entries.get(key);
      if (found === undefined) this.#entries.set(key, [entry]);
      else found.push(entry);
    }
  }

  #find(kind: DefinitionKind, name: string): Entry[] {
    return this.#entries.get(`${kind} ${name}`) ?? [];
  }

  /** The symbol of that name, or undefined. Two of one bare name are a `SchemaSymbolAmbiguous`. */
  find(kind: DefinitionKind, name: string): Symbol | undefined {
    const found = this.#find(kind, name);
    if (found.length > 1) {
      throw new KipError(
        "SchemaSymbolAmbiguous",
        `${KIND_WORDS[kind]} ${JSON.stringify(name)} is defined more than once`,
        {
          details: { candidates: found.map((entry) => entry.definition.ref) },
        },
      );
    }
    const entry = found[0];
    if (entry === undefined) return undefined;
    let symbol = this.#symbols.get(entry);
    if (symbol === undefined) {
      const { definition, lineage, packageRef, lineages } = entry;
      symbol = { definition, ref: definition.ref, lineage, packageRef, lineages };
      this.#symbols.set(entry, symbol);
    }
    return symbol;
  }

  #require(kind: DefinitionKind, name: string): Symbol {
    const symbol = this.find(kind, name);
    if (symbol !== undefined) return symbol;
    const versioned = /^(kip:\/\/[^@]+)@[^/]+\//.exec(name);
    if (versioned !== null && this.#find(kind, lineageOfRef(name)).length > 0) {
      throw new KipError("SchemaPackageUnavailable", `that version of ${JSON.stringify(name)} is not installed`);
    }
    const near = nearest(
      name,
      this.list(kind).map((entry) => entry.definition.name),
    );
    const meant = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    throw new KipError("SchemaSymbolNotFound", `there is no ${KIND_WORDS[kind]} ${JSON.stringify(name)}${meant}`, {
      details: { kind, name, ...(near === undefined ? {} : { nearest: near }) },
    });
  }

  type(name: string): Symbol<TypeDefinition> {
    return this.#require("ConceptType", name) as Symbol<TypeDefinition>;
  }
  predicate(name: string): Symbol<PredicateDefinition> {
    return this.#require("PredicateType", name) as Symbol<PredicateDefinition>;
  }
  facet(name: string): Symbol<FacetDefinition> {
    return this.#require("FacetDefinition", name) as Symbol<FacetDefinition>;
  }
  structural(name: string): Symbol<StructuralDefinition> {
    return this.#require("StructuralFieldDefinition", name) as Symbol<StructuralDefinition>;
  }

  #required: readonly Symbol<StructuralDefinition>[] | undefined;

  /** Structural fields that need at least one target. */
  get required(): readonly Symbol<StructuralDefinition>[] {
    this.#required ??= (this.list("StructuralFieldDefinition") as Symbol<StructuralDefinition>[]).filter(
      (symbol) => symbol.definition.cardinality.min > 0 && symbol.definition.computed !== true,
    );
    return this.#required;
  }

  /** All symbols of a kind, packages in order, then drafts that are not promoted. */
  list(kind: DefinitionKind): Symbol[] {
    const found = new Map<Entry, Symbol>();
    for (const [key, entries] of this.#entries) {
      if (!key.startsWith(`${kind} kip://`)) continue;
      for (const entry of entries) found.set(entry, this.find(kind, entry.definition.ref)!);
    }
    return [...found.values()];
  }
}
