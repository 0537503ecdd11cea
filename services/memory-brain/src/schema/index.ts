/** The packages that every Space starts with. */
import type { SchemaPackage } from "../domain/schema-package.ts";
import cognitiveMemory from "./cognitive-memory.json" with { type: "json" };
import general from "./general.json" with { type: "json" };

export const standardPackages: readonly SchemaPackage[] = [
  cognitiveMemory as unknown as SchemaPackage,
  general as unknown as SchemaPackage,
];
