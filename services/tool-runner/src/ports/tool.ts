/** A tool, and what it gets to work with. */

export type Recovery = "replay_safe" | "idempotent" | "reconcile" | "never_retry";
export const RECOVERIES: readonly Recovery[] = ["replay_safe", "idempotent", "reconcile", "never_retry"];

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where a session's files are. The same on every runner that shares the workspaces. */
export interface Workspace {
  /** Absolute; exists. What the model sees as its working directory. */
  readonly directory: string;
  /** Absolute; what tools keep for the session out of the model's reach. Made by whoever writes there first. */
  readonly stateDirectory: string;
  /** User and group that own the files, or null for those of this process. */
  readonly owner: number | null;
}

export interface ToolContext {
  readonly tenant: string;
  readonly session: string;
  readonly run: string;
  readonly call: string;
  readonly attempt: number;
  /** The same for every attempt of the call. */
  readonly idempotencyKey: string;
  /** Id of the Space that the agent has as its memory; empty when it has none. */
  readonly memory: string;
  /** With a memory: the agent, and the subject of whoever started its run; empty where that is not known. */
  readonly agent: string;
  readonly caller: string;
  /** W3C traceparent of the call's span, for what the tool calls itself; empty without tracing. */
  readonly traceparent: string;
  /** Aborts when the call is cancelled or its time is up. What still runs 2 s later is abandoned. */
  readonly signal: AbortSignal;
  workspace(): Promise<Workspace>;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. Defaults in it are filled in before the call. */
  readonly parameters: JsonSchema;
  /** What may be done about a call of which nobody knows whether it took effect. */
  readonly recovery: Recovery;
  /** Runs alone within its turn. */
  readonly exclusive: boolean;
  readonly timeoutMs: number;
  /** Text is given to the model as it is, anything else as JSON. What it throws fails the call with its message. */
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<unknown>;
}

export interface Workspaces {
  /** Makes the directory where it is missing. */
  of(tenant: string, session: string): Promise<Workspace>;
}

/** A call that fails in a way the model can do something about. The message is for the model. */
export class ToolFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolFailure";
  }
}
