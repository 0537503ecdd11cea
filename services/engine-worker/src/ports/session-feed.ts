/** The live side of reading a session. Everything on it may be lost; the log has what counts. */
import type { SessionEvent } from "../domain/events.ts";
import type { ModelDelta } from "./hints.ts";

/** A commit that exists (with its events when they are small), or a delta of a model attempt under way. */
export type FeedMessage =
  | { readonly n: number; readonly events?: readonly SessionEvent[] }
  | { readonly delta: ModelDelta };

export interface SessionFeed {
  /** Resolves once messages sent from now on will be seen. */
  subscribe(session: string, listener: (message: FeedMessage) => void): Promise<() => void>;
  /** Deltas of the attempt under way that are still kept, oldest first. */
  retainedDeltas(session: string): Promise<ModelDelta[]>;
}
