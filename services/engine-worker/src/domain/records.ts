/** The two append-only records of a session: commits (the log) and mail (the mailbox). */
import type { SessionEvent } from "./events.ts";

/** The atomic unit of the log. `n` is dense from 1 within a session. */
export interface Commit {
  readonly session: string;
  readonly n: number;
  /** Random; tells a writer whose reply was lost that the commit is its own. */
  readonly commitId: string;
  readonly epoch: number;
  readonly worker: string;
  readonly events: readonly SessionEvent[];
  /** Highest mail number consumed by this commit and all before it: the cursor is the consumption. */
  readonly mailCursor: number;
  /** Unix ms. */
  readonly at: number;
  /** W3C traceparent, or empty. */
  readonly trace: string;
}

export type MailKind = "input" | "steer" | "cancel" | "tool_result" | "delete";

/** One post. `k` is dense from 1 within a session, so k exists only if all below it do. */
export interface Mail {
  readonly session: string;
  readonly k: number;
  /** Unique within the session; a repeated post is recognised by it. */
  readonly postId: string;
  readonly kind: MailKind;
  /** Hash of the body as posted; a repeat with another body is a conflict. Stays when the body is emptied. */
  readonly digest: string;
  /** Kind-specific; null once consumed and emptied. */
  readonly body: unknown;
  /** Unix ms. */
  readonly at: number;
  /** W3C traceparent of the poster, or empty. */
  readonly trace: string;
}
