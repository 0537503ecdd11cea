/** What a caller of a compatible route asks for, in the engine's terms. */

export type EngineItem =
  | { readonly type: "message"; readonly role: string; readonly text: string; readonly parts?: readonly unknown[] }
  | { readonly type: "reasoning"; readonly text: string; readonly signature?: string; readonly redacted?: true }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: string };

/** A function tool of the caller, in the shape of the Responses API. */
export interface AskedTool {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly strict?: boolean;
}

/** A request that brings its whole history along. */
export interface Asked {
  /** As the caller wrote it; the answer repeats it. */
  readonly name: string;
  /** Agent name, or empty. */
  readonly agent: string;
  /** Model name, or empty with an agent. */
  readonly model: string;
  readonly items: readonly EngineItem[];
  readonly instructions: string;
  readonly clientTools: readonly AskedTool[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
}

/** `agent/<name>` names an agent, everything else a model. */
export function namedModel(name: string): { readonly name: string; readonly agent: string; readonly model: string } {
  return name.startsWith("agent/") ? { name, agent: name.slice(6), model: "" } : { name, agent: "", model: name };
}

/** Without what was not given. */
export function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/**
 * Texts of the system before the conversation become instructions, which every model takes; those in its midst stay where
 * they are.
 */
export function takeInstructions(items: readonly EngineItem[]): {
  readonly instructions: string;
  readonly items: readonly EngineItem[];
} {
  const isSystem = (item: EngineItem): boolean =>
    item.type === "message" && item.parts === undefined && (item.role === "system" || item.role === "developer");
  const end = items.findIndex((item) => !isSystem(item));
  if (end <= 0) return { instructions: "", items };
  const texts = items.slice(0, end).map((item) => (item as { readonly text: string }).text);
  return { instructions: texts.filter((text) => text !== "").join("\n\n"), items: items.slice(end) };
}

/** The first result that answers no call before it; null when there is none. */
export function strayResult(items: readonly EngineItem[]): string | null {
  const calls = new Set<string>();
  for (const item of items) {
    if (item.type === "function_call") calls.add(item.call_id);
    if (item.type === "function_call_output" && !calls.has(item.call_id)) return item.call_id;
  }
  return null;
}
