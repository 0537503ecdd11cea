/** What a run was started with. Frozen into `run.queued`, so later changes of agents never alter a run. */

/** Default limit of model calls in one run. */
export const STEPS_MAX_DEFAULT = 1000;
/** Most tool calls that one model turn may make; those past it settle as failed. */
export const CALLS_PER_TURN_MAX = 64;
/** Most output items of one model turn; a longer one fails the run. */
export const TURN_ITEMS_MAX = 4096;
/** Most runs that may wait in one session. */
export const QUEUED_RUNS_MAX = 64;
/** Most steering inputs that may wait in one run. */
export const PENDING_STEERS_MAX = 64;
/** Model attempts of one step that may be lost to crashes before the run fails. */
export const ABANDONED_ATTEMPTS_MAX = 50;
/** Attempts of one tool call (its runner died each time) before it settles as unknown. */
export const TOOL_ATTEMPTS_MAX = 10;

export interface RunSpec {
  /** Agent name, or empty for a plain model call. */
  readonly agent: string;
  readonly model: string;
  readonly instructions: string;
  /** Names of server tools that this run may call. */
  readonly tools: readonly string[];
  /** Space that the memory tools work on; empty or absent for none. */
  readonly memory?: string;
  /** Subject of whoever started the run, where it has a memory: what is remembered in it counts as said by them. */
  readonly caller?: string;
  /** Function tools of the caller (Responses API shape); a call of one ends the run with the call as its output. */
  readonly client_tools: readonly ClientTool[];
  /** Parameters for the model: temperature, max_output_tokens, tool_choice, … */
  readonly params: Readonly<Record<string, unknown>>;
  readonly steps_max: number;
  /** Shown back to the caller, never interpreted: request fields of the compatible routes. */
  readonly echo: Readonly<Record<string, unknown>>;
}

export interface ClientTool {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly strict?: boolean | null;
}
