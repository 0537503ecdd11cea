/** The environment of memory-brain. */
import { commonVariables, kinds, httpListenVariable, listenVariable } from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";

import { EMBEDDERS } from "./adapters/embedders/embedder-of.ts";

const memoryVariables = {
  spacesOpenMax: {
    name: "MAINSPRING_SPACES_OPEN_MAX",
    description: "Spaces that one memory worker has open at a time; idle ones are closed for others.",
    schema: kinds.integer(32, 1, 1_000),
  },
  embedder: {
    name: "MAINSPRING_EMBEDDER",
    description:
      "What finds beside exact words: offline/hash (inflected and misspelt words, not meaning; no network), or none.",
    schema: kinds.choice(EMBEDDERS, "offline/hash"),
  },
  memoryShard: {
    name: "MAINSPRING_MEMORY_SHARD",
    description: "Shard that this memory worker serves.",
    schema: kinds.integer(0, 0, 65_535),
  },
} as const satisfies Variables;

export const memoryBrainVariables = {
  ...commonVariables,
  ...memoryVariables,
  listen: listenVariable("memory-brain"),
  httpListen: httpListenVariable("memory-brain"),
} as const satisfies Variables;

export type MemoryBrainConfig = ConfigOf<typeof memoryBrainVariables>;
/** What the composition needs: the same whether the service runs alone or with others. */
export type MemoryBrainSettings = ConfigOf<typeof memoryVariables> & Pick<MemoryBrainConfig, "dataDir">;

/** The process's environment; nothing else of this service reads it. */
export function memoryBrainEnvironment(): Environment {
  return process.env;
}
