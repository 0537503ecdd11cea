/** Hints between processes. Each may be lost or doubled; none is waited for by a promise of the protocol. */
import type { Commit, Mail } from "../domain/records.ts";

export interface ToolJob {
  readonly session: string;
  readonly run: string;
  readonly call: string;
  readonly attempt: number;
  readonly tenant: string;
  readonly tool: string;
  /** A copy of the arguments when they are small, else undefined: the runner asks for them. */
  readonly args?: string;
  /** Space of the agent's memory, where it has one. */
  readonly memory?: string;
  /** With a memory: the agent, and the subject of whoever started its run. */
  readonly agent?: string;
  readonly caller?: string;
  readonly trace: string;
  /** Holder of the session and the highest mail number when the job was made: where its result can be posted at once. */
  readonly holder: string;
  readonly k: number;
}

export interface ModelDelta {
  readonly run: string;
  readonly step: number;
  readonly attempt: number;
  /** Ordinal of the chunk in the attempt, dense from 0. */
  readonly chunk: number;
  /** Ordinal of the output item in the attempt. */
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  /** Characters of the item before this chunk. */
  readonly offset: number;
  readonly text: string;
  readonly callId?: string;
  readonly name?: string;
}

export interface Hints {
  /**
   * Tells the worker that a session it holds has mail up to k. `mail` is that one itself, when it is known to be in the
   * mailbox and small: it saves the holder a look.
   */
  wakeWorker(worker: string, session: string, k: number, mail?: Mail): void;
  /** Asks for any worker to take the session up. May reject with `unavailable`. */
  requestActivation(session: string): Promise<void>;
  /** Hands a dispatched call to the runners. May reject with `unavailable`. */
  enqueueTool(job: ToolJob): Promise<void>;
  /** Tells readers of the session that the commit exists. */
  announceCommit(commit: Commit): void;
  announceDelta(session: string, delta: ModelDelta): void;
  /** Deltas of earlier attempts need not be kept any longer. */
  forgetDeltas(session: string): void;
}
