/** Runs a shell command where it can do little harm. */
import type { Workspace } from "./tool.ts";

export interface SandboxRequest {
  readonly command: string;
  readonly workspace: Workspace;
  readonly timeoutMs: number;
}

/** One stream of output, within its limits. */
export interface CapturedStream {
  /** All that was kept: everything, or the first and the last of it. */
  readonly bytes: Uint8Array;
  /** Where in `bytes` something is missing, if `totalBytes` says that something is. */
  readonly gapAt: number;
  /** All that was written; more than `bytes` where that was too much to keep. */
  readonly totalBytes: number;
}

export interface SandboxResult {
  /** Null when the command did not end by itself. */
  readonly exitStatus: number | null;
  /** Why not: a signal, `timeout`, or what kept it from starting. Empty when it did. */
  readonly reason: string;
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
}

export interface Sandbox {
  readonly kind: "bubblewrap" | "process group";
  /** For the model and the operator: what a command can reach. */
  readonly promise: string;
  /** Owner of the files of a session, or null for the user of this process. */
  ownerOf(session: string): number | null;
  /** Never rejects. When it resolves nothing of the command runs any more. */
  run(request: SandboxRequest, signal: AbortSignal): Promise<SandboxResult>;
}
