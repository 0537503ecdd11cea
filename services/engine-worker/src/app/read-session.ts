/** The control state of a session as the log has it now, for whoever does not hold it. */
import type { DispatchedCallView } from "./views.ts";
import { applyCommit } from "../domain/project.ts";
import type { SessionState } from "../domain/state.ts";
import { initialState, PROJECTOR_VERSION } from "../domain/state.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { readLog } from "./log.ts";

export async function readState(store: SessionStore, session: string): Promise<SessionState> {
  const snapshot = await store.getSnapshot(session, PROJECTOR_VERSION);
  const state = snapshot === null ? initialState() : (JSON.parse(snapshot.state) as SessionState);
  for await (const page of readLog(store, session, state.n + 1)) {
    for (const commit of page) applyCommit(state, commit);
  }
  return state;
}

/** Null when the log knows no such call among the open ones. */
export async function readCall(
  store: SessionStore,
  session: string,
  callId: string,
  attempt: number,
): Promise<DispatchedCallView | null> {
  const state = await readState(store, session);
  const call = state.run?.calls.find((candidate) => candidate.callId === callId);
  if (call === undefined) return null;
  const open = call.status === "dispatched" && call.attempt === attempt && state.run?.cancelling === false;
  return { run: state.run!.run, name: call.name, arguments: call.arguments, argumentsRef: call.argumentsRef, open };
}
