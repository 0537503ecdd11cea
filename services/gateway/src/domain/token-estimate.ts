/** How many tokens a request is about. Nobody is asked: it is a guess from its size. */
import type { Asked, EngineItem } from "./asked.ts";

/** Of ordinary English; code and other scripts have fewer characters a token. */
export const CHARS_PER_TOKEN = 4;
/** An image or a file, whatever its size: what a large image costs at providers. */
export const TOKENS_PER_PART = 1_600;

export function estimateTokens({ instructions, clientTools, items }: Asked): number {
  const tools = clientTools.length === 0 ? 0 : JSON.stringify(clientTools).length;
  const chars = items.reduce((sum, item) => sum + charsOf(item), instructions.length + tools);
  const parts = items.reduce((sum, item) => sum + (item.type === "message" ? (item.parts?.length ?? 0) : 0), 0);
  return Math.ceil(chars / CHARS_PER_TOKEN) + parts * TOKENS_PER_PART;
}

function charsOf(item: EngineItem): number {
  switch (item.type) {
    case "function_call":
      return item.name.length + item.arguments.length;
    case "function_call_output":
      return item.output.length;
    case "reasoning":
    case "message":
      return item.text.length;
  }
}
