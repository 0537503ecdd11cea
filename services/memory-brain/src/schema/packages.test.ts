import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "@mainspring/kip";
import { SchemaEnvironment } from "../domain/schema-environment.ts";
import { standardPackages } from "./index.ts";

describe("standard packages", () => {
  it.each(standardPackages.map((pack) => [pack.manifest.package_ref, pack] as const))(
    "%s matches its digest",
    (_ref, pack) => {
      const { integrity, ...content } = pack;
      expect(integrity.content_digest).toBe(`sha256:${hash("sha256", canonicalJson(content as unknown as Json))}`);
    },
  );

  it("every name that a definition uses is defined", () => {
    const environment = new SchemaEnvironment(standardPackages, []);
    const used = standardPackages.flatMap(({ definitions }) => [
      ...definitions.predicates.flatMap(({ subject, object }) => [subject, object]),
      ...definitions.structural_fields.flatMap(({ source, target }) => [source, target]),
      ...definitions.facets.map((facet) => facet.applicable_to),
    ]);
    const names = used.flatMap((constraint) => constraint.concept_types ?? []);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(environment.type(name).definition.name).toBe(name);
  });

  it("a name resolves bare, exact, by lineage and by its public lineage, to one symbol", () => {
    const environment = new SchemaEnvironment(standardPackages, []);
    const spellings = [
      "Person",
      "kip://mainspring/cognitive-memory@2.0.0/Person",
      "kip://mainspring/cognitive-memory/Person",
      "kip://profiles/cognitive-memory/Person",
      "kip://profiles/cognitive-memory@2.0.0/Person",
    ];
    expect(new Set(spellings.map((spelling) => environment.type(spelling))).size).toBe(1);
  });
});
