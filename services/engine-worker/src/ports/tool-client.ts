/** The engine's view of tool-runner. */
import type { CallAttempt, CallReport, ToolPolicy } from "../domain/decision.ts";

export interface ToolDefinition extends ToolPolicy {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: unknown;
}

export interface ToolClient {
  /** Tools by name; cached after the first success. Rejects with `unavailable` before it. */
  catalogue(): Promise<ReadonlyMap<string, ToolDefinition>>;
  /** What the ledger knows of the calls. Rejects with `unavailable`. */
  resolve(session: string, calls: readonly CallAttempt[]): Promise<CallReport[]>;
  /** Tombstones or stop requests for the calls. Rejects with `unavailable`. */
  cancel(session: string, calls: readonly CallAttempt[]): Promise<CallReport[]>;
}
