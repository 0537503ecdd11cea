import type { Embedder } from "../../ports/embedder.ts";
import { HashEmbedder } from "./hash-embedder.ts";

/** What `MAINSPRING_EMBEDDER` may name. */
export const EMBEDDERS = ["offline/hash", "none"] as const;
export type EmbedderName = (typeof EMBEDDERS)[number];

/** Undefined: nothing is found by its meaning. */
export function embedderOf(name: EmbedderName): Embedder | undefined {
  return name === "none" ? undefined : new HashEmbedder();
}
