/** Brings a session into memory: snapshot and tail for the control state, the log for the conversation. */
import type { DeadActivation } from "./activation-span.ts";
import type { PartialOutcome } from "../domain/decision.ts";
import { applyCommit } from "../domain/project.ts";
import type { SessionState } from "../domain/state.ts";
import { initialState, PROJECTOR_VERSION } from "../domain/state.ts";
import type { Transcript } from "../domain/transcript.ts";
import type { Head } from "../ports/session-store.ts";
import type { HolderPorts } from "./holder-ports.ts";
import { readLog } from "./log.ts";
import { persist } from "@mainspring/service-kit";

const NONE: PartialOutcome = { items: [], chunks: [] };

export interface Loaded {
  readonly state: SessionState;
  /** Commit of the snapshot it started from, 0 for none. */
  readonly snapshotN: number;
  /** Kept output of the model attempt that was in flight. */
  readonly partial: PartialOutcome;
  /** Of the holder that wrote the log's last commits; null when none was read. */
  readonly before: DeadActivation | null;
}

/**
 * Null: the log knows an epoch as high as ours, so whoever wrote it took over after us, and ours must not fence it.
 * Called after the hold was taken, never before.
 */
export async function loadSession(
  ports: HolderPorts,
  head: Head,
  epoch: number,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<Loaded | null> {
  const { clock, store } = ports;
  // Epoch 1 is given out once, with the birth of the session: nobody can have written before.
  if (epoch === 1 && head.epoch === 1) return { state: initialState(), snapshotN: 0, partial: NONE, before: null };
  const snapshot = await persist(clock, signal, () => store.getSnapshot(head.session, PROJECTOR_VERSION));
  const state = snapshot === null ? initialState() : (JSON.parse(snapshot.state) as SessionState);
  let before: (DeadActivation & { readonly epoch: number }) | null = null;
  await persist(clock, signal, async () => {
    for await (const page of readLog(store, head.session, transcript.n + 1)) {
      for (const commit of page) {
        if (commit.n > state.n) applyCommit(state, commit);
        transcript.apply(commit);
        const startedAt = before?.epoch === commit.epoch ? before.startedAt : commit.at;
        before = { epoch: commit.epoch, trace: commit.trace, startedAt, endedAt: commit.at };
      }
    }
  });
  if (state.epoch >= epoch) return null;
  const partial = await keptPartial(ports, head.session, state, signal);
  return { state, snapshotN: snapshot?.n ?? 0, partial, before };
}

async function keptPartial(
  ports: HolderPorts,
  session: string,
  state: SessionState,
  signal: AbortSignal,
): Promise<PartialOutcome> {
  const run = state.run;
  if (run === null || run.model === null) return NONE;
  const kept = await persist(ports.clock, signal, () => ports.store.getPartial(session));
  const current = kept?.run === run.run && kept.step === run.step && kept.attempt === run.model.attempt;
  return current ? (JSON.parse(kept.output) as PartialOutcome) : NONE;
}
