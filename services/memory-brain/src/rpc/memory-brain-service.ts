/** The MemoryBrain contract: messages in, use cases, messages out. */
import type { MemoryBrainHandlers } from "@mainspring/contracts";

import type { BrainPorts } from "../app/brain.ts";
import { conversationHandlers } from "./conversations.ts";
import { memoryHandlers } from "./memory.ts";
import { spaceHandlers } from "./spaces.ts";

export function memoryBrainService(ports: BrainPorts): MemoryBrainHandlers {
  return { ...spaceHandlers(ports), ...memoryHandlers(ports), ...conversationHandlers(ports) };
}
