/** memory-brain as a process of its own. */
import { runService } from "@mainspring/service-kit";

import { composeMemoryBrain } from "./compose.ts";
import { memoryBrainEnvironment, memoryBrainVariables } from "./config.ts";

await runService(
  { name: "memory-brain", variables: memoryBrainVariables, compose: composeMemoryBrain },
  memoryBrainEnvironment(),
);
