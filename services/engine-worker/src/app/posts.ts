/** The posts that other services make: input, cancel, tool results. Each resolves when it is durable. */
import { derivedId, hashParts, isSessionId, MainspringError, newId, runIdOf, sessionOfRun } from "@mainspring/kernel";
import type { Random } from "@mainspring/kernel";
import type { CancelBody, InputBody, ToolResultBody } from "../domain/decision.ts";
import { EVENTS_PER_COMMIT_MAX } from "../domain/events.ts";
import type { InputItem } from "../domain/items.ts";
import type { RunSpec } from "../domain/run-spec.ts";
import type { Head } from "../ports/session-store.ts";
import { NEVER_MS } from "../ports/session-store.ts";
import type { MailboxPorts } from "./mailbox.ts";
import { post } from "./mailbox.ts";

export interface PostPorts extends MailboxPorts {
  readonly random: Random;
}

export interface SubmitCommand {
  readonly tenant: string;
  /** Empty for a new session. */
  readonly sessionId: string;
  readonly clientRunId: string;
  readonly mode: "run" | "steer";
  /** Large texts already moved to the content store. */
  readonly items: readonly InputItem[];
  readonly spec: RunSpec;
  /** What the caller sent: a repeat under the same client run id must send the same. */
  readonly identity: unknown;
  readonly title: string;
  /** Of a new session: the same key gives the same session. */
  readonly idempotencyKey: string;
  readonly trace: string;
}

export interface Submitted {
  readonly sessionId: string;
  /** Of a steer that joins a run under way: the id that its own run would have had. */
  readonly runId: string;
  readonly inputId: string;
  readonly mailNo: number;
  readonly created: boolean;
  /** No event of the run has a seq at or below this. */
  readonly afterSeq: number;
}

/** Longest client run id, in bytes. */
export const CLIENT_RUN_ID_BYTES_MAX = 256;

export async function submitInput(ports: PostPorts, command: SubmitCommand): Promise<Submitted> {
  const { tenant, clientRunId, spec, mode, trace } = command;
  const head =
    command.sessionId === "" ? await repeated(ports, command) : await findSession(ports, tenant, command.sessionId);
  if (head?.status === "quarantined") {
    throw new MainspringError("failed_precondition", `session is quarantined: ${head.statusReason}`);
  }
  const sessionId = head?.session ?? newSessionId(ports, tenant, command.idempotencyKey);
  const runId = runIdOf(sessionId, clientRunId);
  const body: InputBody = {
    input_id: `in_${hashParts([sessionId, clientRunId])}`,
    client_run_id: clientRunId,
    run: runId,
    items: command.items,
    spec,
  };
  const posted = await post(ports, {
    session: sessionId,
    postId: `input/${clientRunId}`,
    kind: mode === "steer" ? "steer" : "input",
    body,
    identity: command.identity,
    trace,
    knownK: head?.mailHint ?? 0,
    ...(head === null ? { newHead: newHead(ports, sessionId, tenant, spec.agent, command.title) } : {}),
  });
  const { k: mailNo, created } = posted;
  // A repeat may belong to a run that began before the tip that the head shows.
  const afterSeq = created && head !== null ? (head.tipHint + 1) * EVENTS_PER_COMMIT_MAX - 1 : 0;
  return { sessionId, runId, inputId: body.input_id, mailNo, created, afterSeq };
}

/** A session without a run. Nothing is committed before its first input. */
export async function createSession(
  ports: PostPorts,
  tenant: string,
  agent: string,
  title: string,
  idempotencyKey: string,
): Promise<Head> {
  const session = newSessionId(ports, tenant, idempotencyKey);
  const head = newHead(ports, session, tenant, agent, title);
  if ((await ports.store.insertHead(head)) === "inserted") return head;
  return findSession(ports, tenant, session);
}

/** The head that an earlier request under the same idempotency key has made, null for none. */
async function repeated(ports: PostPorts, { tenant, idempotencyKey }: SubmitCommand): Promise<Head | null> {
  if (idempotencyKey === "") return null;
  const sessionId = newSessionId(ports, tenant, idempotencyKey);
  if ((await ports.store.readHead(sessionId)) === null) return null;
  return findSession(ports, tenant, sessionId);
}

export function newSessionId(ports: PostPorts, tenant: string, idempotencyKey: string): string {
  if (idempotencyKey === "") return newId("ses", ports.clock.now(), ports.random);
  return derivedId("ses", tenant, idempotencyKey);
}

export function newHead(ports: PostPorts, session: string, tenant: string, agent: string, title: string): Head {
  const now = ports.clock.now();
  return {
    session,
    tenant,
    gen: 1,
    wakeAt: NEVER_MS,
    hold: null,
    epoch: 0,
    mailHint: 0,
    tipHint: 0,
    agent,
    title,
    status: "idle",
    statusReason: "",
    lastRun: "",
    createdAt: now,
    updatedAt: now,
  };
}

/** The head of a session of that tenant. Another tenant's, a deleted one and one that never was are all `not_found`. */
export async function findSession(ports: MailboxPorts, tenant: string, sessionId: string): Promise<Head> {
  const head = isSessionId(sessionId) ? await ports.store.readHead(sessionId) : null;
  if (head === null || head.tenant !== tenant || head.status === "deleted") {
    throw new MainspringError("not_found", `no session ${sessionId}`, { reason: "session_not_found" });
  }
  return head;
}

export async function findSessionOfRun(ports: MailboxPorts, tenant: string, runId: string): Promise<Head> {
  const sessionId = sessionOfRun(runId);
  const head = sessionId === null ? null : await ports.store.readHead(sessionId);
  if (head === null || head.tenant !== tenant || head.status === "deleted") {
    throw new MainspringError("not_found", `no run ${runId}`, { reason: "run_not_found" });
  }
  return head;
}

export interface CancelCommand {
  readonly tenant: string;
  readonly runId: string;
  readonly reason: string;
  readonly trace: string;
}

export async function cancelRun(ports: PostPorts, command: CancelCommand): Promise<number> {
  const head = await findSessionOfRun(ports, command.tenant, command.runId);
  const body: CancelBody = { run: command.runId, reason: command.reason };
  const posted = await post(ports, {
    session: head.session,
    postId: `cancel/${command.runId}`,
    kind: "cancel",
    body,
    // The first cancel of a run is the one that counts, whatever reason a later one gives.
    identity: command.runId,
    trace: command.trace,
    knownK: head.mailHint,
  });
  return posted.k;
}

export interface ToolResultCommand extends ToolResultBody {
  readonly session: string;
  readonly trace: string;
  /** Highest mail number known to exist, 0 for none. */
  readonly knownK: number;
  /** Who held the session when the call was dispatched, or empty. */
  readonly knownHolder: string;
}

export async function postToolResult(ports: PostPorts, command: ToolResultCommand): Promise<number> {
  const { session, trace, knownK, knownHolder, ...body } = command;
  const late = body.late ? "/late" : "";
  const posted = await post(ports, {
    session,
    postId: `tool/${body.call_id}/${body.attempt}${late}`,
    kind: "tool_result",
    body,
    trace,
    knownHolder,
    knownK: knownK > 0 ? knownK : ((await ports.store.readHead(session))?.mailHint ?? 0),
  });
  return posted.k;
}

/** Lets a quarantined session run again: whoever takes it up next commits that it was reopened. */
export async function reopenSession(ports: PostPorts, tenant: string, sessionId: string): Promise<void> {
  const head = await findSession(ports, tenant, sessionId);
  if (head.status !== "quarantined") {
    throw new MainspringError("failed_precondition", `session ${sessionId} is not quarantined`);
  }
  const patch = { status: "idle", statusReason: "", wakeAt: ports.clock.now() };
  if (!(await ports.store.casHead(sessionId, head.gen, patch))) {
    throw new MainspringError("aborted", "the session changed meanwhile; try again");
  }
  await ports.hints.requestActivation(sessionId).catch(() => undefined);
}

/** Posts the deletion; the session vanishes from reads once it is committed. Repeats are harmless. */
export async function deleteSession(ports: PostPorts, tenant: string, sessionId: string, trace: string): Promise<void> {
  const head = await findSession(ports, tenant, sessionId);
  await post(ports, { session: sessionId, postId: "delete", kind: "delete", body: {}, trace, knownK: head.mailHint });
}
