/** The MemoryBrain contract: messages in, use cases, messages out. */
import type { MemoryBrainHandlers } from "@mainspring/contracts";

import type { BrainPorts } from "../app/brain.ts";
import { conversationHandlers } from "./conversations.ts";
import { forwarding } from "./forwarding.ts";
import type { Locate } from "./forwarding.ts";
import { memoryHandlers } from "./memory.ts";
import { spaceHandlers } from "./spaces.ts";

export function memoryBrainService(ports: BrainPorts, locate: Locate): MemoryBrainHandlers {
  const own = { ...spaceHandlers(ports, locate), ...memoryHandlers(ports), ...conversationHandlers(ports) };
  return forwarding(own, locate, ports.clock);
}
