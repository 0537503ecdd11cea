/**
 * One held session: the loop load → read mail → decide → commit → effects, until it parks or loses the session.
 *
 * H1 Nothing is performed before its commit is known to be our own.
 * H2 The first commit carries `session.activated` with our epoch, so the holder before us cannot commit any more.
 * H3 A hold is given up when the log knows an epoch as high as ours: somebody took over after we did.
 * H4 Parking goes by the head's gen, so mail that comes meanwhile is never slept through.
 */
import { MainspringError, newId } from "@mainspring/kernel";
import { decide } from "../domain/decide.ts";
import type { Decision, DecideEnv, Outcome, PartialOutcome } from "../domain/decision.ts";
import { TERMINAL_TYPES } from "../domain/events.ts";
import { applyCommit } from "../domain/project.ts";
import type { Commit, Mail } from "../domain/records.ts";
import type { SessionState } from "../domain/state.ts";
import { isIdle, PROJECTOR_VERSION } from "../domain/state.ts";
import { callsDue, nextTimer } from "../domain/timers.ts";
import { Transcript } from "../domain/transcript.ts";
import type { Head, HeadPatch, Hold } from "../ports/session-store.ts";
import { KEYS_PER_READ_MAX, NEVER_MS } from "../ports/session-store.ts";
import { ActivationSpan } from "./activation-span.ts";
import { EffectRunner } from "./effect-runner.ts";
import type { HolderPorts, HolderSettings } from "./holder-ports.ts";
import { leave } from "./hold.ts";
import { loadSession } from "./load-session.ts";
import { appendCommit } from "./log.ts";
import { ModelCaller } from "./model-caller.ts";
import { persist } from "@mainspring/service-kit";
import { Wakeup } from "./signal.ts";

const ENDED = new MainspringError("aborted", "the session is no longer held here");

export type HolderEnd = "parked" | "lost" | "stopped";

export class SessionHolder {
  readonly session: string;
  readonly #ports: HolderPorts;
  readonly #settings: HolderSettings;
  readonly #head: Head;
  readonly #hold: Hold;
  readonly #takeover: boolean;
  readonly #stop = new AbortController();
  readonly #wakeup = new Wakeup();
  readonly #outcomes: Outcome[] = [];
  #offered: Mail[] = [];
  readonly #models: ModelCaller;
  readonly #effects: EffectRunner;
  readonly #activation: ActivationSpan;
  #state!: SessionState;
  readonly #transcript = new Transcript();
  #expected: Promise<void> | null = null;
  #mailPending = true;
  #draining = false;
  #lastTick = 0;
  /** When the model was called last in this run; 0 before. */
  #requestedAt = 0;
  #hotUntilMs = 0;
  #snapshotN = 0;
  #tries: number;
  #ended = false;
  #ready = false;
  #more = false;

  constructor(ports: HolderPorts, settings: HolderSettings, head: Head, hold: Hold) {
    this.session = head.session;
    this.#ports = ports;
    this.#settings = settings;
    this.#head = head;
    this.#hold = hold;
    this.#takeover = head.hold !== null;
    this.#tries = hold.tries;
    this.#models = new ModelCaller(ports);
    const at = { session: head.session, tenant: head.tenant, worker: hold.worker };
    this.#activation = new ActivationSpan(at);
    const place = { ...at, activation: this.#activation };
    this.#effects = new EffectRunner(ports, this.#models, place, this.#stop.signal, (outcome) =>
      this.#deliver(outcome),
    );
  }

  /** Tells that mail up to k may be there. */
  wake(): void {
    this.#mailPending = true;
    this.#wakeup.raise();
  }

  /** Highest mail number that this holder has seen. */
  get knownMail(): number {
    return this.#ready ? this.#state.cursor : 0;
  }

  /** Mail that is known to be in the mailbox: when it is the next it needs no look. */
  offer(mail: Mail): void {
    if (this.#offered.length < KEYS_PER_READ_MAX) this.#offered.push(mail);
    else this.#mailPending = true;
    this.#wakeup.raise();
  }

  /** The first mail of a session that was made with it: nothing is done before it came or failed to. */
  expect(firstMail: Promise<Mail>): void {
    this.#expected = firstMail.then(
      (mail) => this.offer(mail),
      () => undefined,
    );
  }

  /** Parks as soon as nothing is in flight that would be lost. */
  drain(): void {
    this.#draining = true;
    this.#wakeup.raise();
  }

  /** Gives up at once; whatever was not committed is another holder's to find. */
  abandon(): void {
    this.#stop.abort(new MainspringError("aborted", "the holder was stopped"));
    this.#wakeup.raise();
  }

  async run(): Promise<HolderEnd> {
    try {
      const loaded = await loadSession(this.#ports, this.#head, this.#hold.epoch, this.#transcript, this.#stop.signal);
      if (loaded === null) return "lost";
      this.#state = loaded.state;
      this.#ready = true;
      this.#snapshotN = loaded.snapshotN;
      if (this.#takeover) this.#activation.replace(loaded.before, this.#state.run);
      this.#activation.follow(this.#state.run);
      this.#outcomes.push({ kind: "activated", takeover: this.#takeover, partial: loaded.partial });
      this.#lastTick = this.#ports.clock.now();
      await this.#expected;
      this.#keepHot();
      return await this.#loop();
    } catch (error) {
      if (this.#stop.signal.aborted) return "stopped";
      throw error;
    } finally {
      this.#ended = true;
      this.#activation.end();
      this.#stop.abort(ENDED);
      this.#models.close();
    }
  }

  async #loop(): Promise<HolderEnd> {
    for (;;) {
      const mail = await this.#readMail();
      // Emptied mail was consumed by a commit that this holder does not know: the session is another's.
      if (mail.some((item) => item.body === null)) return "lost";
      const outcomes = this.#outcomes.splice(0);
      const due = this.#tick();
      if (mail.length > 0 || outcomes.length > 0 || due || this.#more) {
        // A commit after the first is progress, and so is coming to rest.
        const isFirst = outcomes[0]?.kind === "activated";
        if (!(await this.#step(mail, outcomes))) return "lost";
        if (!isFirst) await this.#clearTries();
        continue;
      }
      await this.#clearTries();
      if (this.#mayPark()) {
        const result = await this.#park();
        if (result === "left") return "parked";
        if (result === "lost") return "lost";
        this.#mailPending = true;
        continue;
      }
      await this.#wait();
    }
  }

  async #readMail(): Promise<Mail[]> {
    const offered = this.#takeOffered();
    if (offered.length > 0) return offered;
    if (!this.#mailPending) return [];
    this.#mailPending = false;
    const from = this.#state.cursor + 1;
    const { clock, store } = this.#ports;
    const mail = await persist(clock, this.#stop.signal, () => store.readMail(this.session, from, KEYS_PER_READ_MAX));
    if (mail.length === KEYS_PER_READ_MAX) this.#mailPending = true;
    return mail;
  }

  /** What was offered, as far as it follows on the cursor. A number out of order means that there is more to look for. */
  #takeOffered(): Mail[] {
    if (this.#offered.length === 0) return [];
    const offered = this.#offered.sort((a, b) => a.k - b.k);
    this.#offered = [];
    const next: Mail[] = [];
    for (const mail of offered) {
      const expected = this.#state.cursor + next.length + 1;
      if (mail.k === expected) next.push(mail);
      else if (mail.k > expected) this.#mailPending = true;
    }
    return next;
  }

  /** Looks at the clock: true when a retry is due; calls that are overdue are asked for at once. */
  #tick(): boolean {
    const now = this.#ports.clock.now();
    const due = callsDue(this.#state, this.#lastTick, now);
    const retry = this.#state.run?.retryAt ?? 0;
    const retryDue = retry > this.#lastTick && retry <= now;
    this.#lastTick = Math.max(this.#lastTick, now);
    if (due.length > 0) {
      const calls = due.map(({ callId, attempt }) => ({ callId, attempt }));
      const type = this.#state.run!.cancelling ? "cancel_calls" : "resolve_calls";
      this.#effects.perform([{ type, calls }], this.#state, this.#transcript);
    }
    return retryDue;
  }

  /** Decides and commits. False: the session is another's. */
  async #step(mail: readonly Mail[], outcomes: readonly Outcome[]): Promise<boolean> {
    const env = await this.#env(this.#models.partial());
    const cursorBefore = this.#state.cursor;
    const decision = decide(this.#state, { mail, outcomes }, env);
    this.#activation.follow(this.#state.run);
    if (decision.events.length > 0 || decision.mailCursor > cursorBefore) {
      const commit = this.#commitOf(decision, env.now);
      if ((await appendCommit(this.#ports.store, this.#ports.clock, commit, this.#stop.signal)) === "lost")
        return false;
      this.#applied(commit);
    }
    if (this.#state.run === null) this.#activation.end();
    this.#effects.perform(decision.effects, this.#state, this.#transcript);
    this.#more = decision.more;
    return true;
  }

  async #env(partial: PartialOutcome): Promise<DecideEnv> {
    const { clock, tools } = this.#ports;
    const catalogue = await persist(clock, this.#stop.signal, () => tools.catalogue());
    const { tenant, agent, title } = this.#head;
    return {
      now: Math.max(clock.now(), this.#lastTick),
      worker: this.#hold.worker,
      epoch: this.#hold.epoch,
      birth: { tenant, agent, title },
      tools: catalogue,
      partial,
    };
  }

  #commitOf(decision: Decision, now: number): Commit {
    return {
      session: this.session,
      n: this.#state.n + 1,
      commitId: newId("cmt", now, this.#ports.random),
      epoch: this.#hold.epoch,
      worker: this.#hold.worker,
      events: decision.events,
      mailCursor: decision.mailCursor,
      at: now,
      trace: this.#activation.traceparent,
    };
  }

  /** The events were applied while deciding; the commit's own numbers follow here. */
  #applied(commit: Commit): void {
    applyCommit(this.#state, { ...commit, events: [] });
    this.#transcript.apply(commit);
    this.#observe(commit);
    this.#ports.hints.announceCommit(commit);
    this.#keepHot();
  }

  #observe({ events }: Commit): void {
    const { observer } = this.#ports;
    if (observer === undefined) return;
    for (const { type, at } of events) {
      if (TERMINAL_TYPES.has(type)) observer.runEnded(type.slice("run.".length));
      if (type === "session.activated" && this.#takeover) observer.tookOver();
      if (type !== "model.requested") continue;
      if (this.#requestedAt > 0) observer.stepTook(at - this.#requestedAt);
      this.#requestedAt = at;
    }
    if (this.#state.run === null) this.#requestedAt = 0;
  }

  #keepHot(): void {
    this.#hotUntilMs = this.#ports.clock.monotonicMs() + this.#settings.hotWindowMs;
  }

  #mayPark(): boolean {
    if (this.#mailPending || this.#offered.length > 0 || this.#outcomes.length > 0) return false;
    if (isIdle(this.#state)) return true;
    if (this.#effects.busy) return false;
    return this.#draining || this.#ports.clock.monotonicMs() >= this.#hotUntilMs;
  }

  async #park(): Promise<"left" | "mail" | "lost"> {
    await this.#keepSnapshot();
    const { session } = this;
    const at = { session, hold: this.#hold, cursor: this.#state.cursor };
    return leave(this.#ports.store, this.#ports.clock, at, this.#parkedHead(), this.#stop.signal);
  }

  #parkedHead(): HeadPatch {
    const state = this.#state;
    const now = this.#ports.clock.now();
    const status = state.deleted ? "deleted" : state.run === null ? "idle" : "running";
    return {
      wakeAt: nextTimer(state, this.#lastTick) ?? NEVER_MS,
      tipHint: state.n,
      status,
      lastRun: state.run?.run ?? state.lastRun?.run ?? "",
      updatedAt: now,
    };
  }

  /** A snapshot once enough has happened since the last; losing it only means to read more of the log. */
  async #keepSnapshot(): Promise<void> {
    const state = this.#state;
    if (state.n - this.#snapshotN < this.#settings.snapshotEveryCommits) return;
    const snapshot = {
      session: this.session,
      projectorVersion: PROJECTOR_VERSION,
      n: state.n,
      state: JSON.stringify(state),
    };
    this.#snapshotN = state.n;
    if (snapshot.state.length > this.#settings.snapshotCharsMax) return;
    await this.#ports.store.putSnapshot(snapshot).catch(() => undefined);
    await this.#ports.store.dropMailBodies(this.session, state.cursor).catch(() => undefined);
  }

  /** This take-over got somewhere alive, so the deaths before it are not to be counted on. */
  async #clearTries(): Promise<void> {
    if (this.#tries === 0) return;
    this.#tries = 0;
    const { store } = this.#ports;
    const head = await store.readHead(this.session).catch(() => null);
    if (head === null || head.hold?.epoch !== this.#hold.epoch) return;
    await store.casHead(this.session, head.gen, { hold: { ...this.#hold, tries: 0 } }).catch(() => false);
  }

  #deliver(outcome: Outcome): void {
    if (this.#ended) return;
    this.#outcomes.push(outcome);
    this.#wakeup.raise();
  }

  /** Until a wake-up, a timer, the end of the hot window, or the next look at the mailbox in case a hint was lost. */
  async #wait(): Promise<void> {
    const now = this.#ports.clock.now();
    const timer = nextTimer(this.#state, this.#lastTick);
    const untilTimer = timer === null ? Infinity : Math.max(0, timer - now);
    const untilCold = Math.max(0, this.#hotUntilMs - this.#ports.clock.monotonicMs());
    const timeout = Math.min(this.#settings.mailPollMs, untilTimer, untilCold === 0 ? Infinity : untilCold);
    const raised = await this.#wakeup.wait(this.#ports.clock, timeout);
    this.#stop.signal.throwIfAborted();
    if (!raised) this.#mailPending = true;
  }
}
