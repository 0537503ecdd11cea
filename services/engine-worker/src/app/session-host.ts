/**
 * All sessions that this worker process holds: takes them up when a job, a wake-up or the sweeper says so, and lets each
 * run by itself. Bounded: above `sessionsMax` a session is left to others and to the next sweep.
 */
import { SessionHolder } from "./session-holder.ts";
import type { BeatWatch } from "@mainspring/service-kit";
import type { HolderPorts, HolderSettings } from "./holder-ports.ts";
import { takeHold, triesOf } from "./hold.ts";
import { sleep } from "@mainspring/kernel";
import { isPassing, persist } from "@mainspring/service-kit";
import type { LocalSessions } from "./mailbox.ts";
import { quarantine } from "./quarantine.ts";
import type { Mail } from "../domain/records.ts";
import type { Head, Hold } from "../ports/session-store.ts";

/** Take-overs in a row that died: this one runs in a process of its own … */
export const ISOLATE_AT_TRIES = 3;
/** … and after that one died too, the session is put aside. */
export const QUARANTINE_AT_TRIES = 4;

/** Between two attempts to take up again what the head still says is ours. */
const RELOAD_AGAIN_MS = 50;
/** A process of its own that has not taken its session by then is started again. */
const ISOLATE_AGAIN_MS = 20_000;
/** Processes of their own that one worker has under way. */
const ISOLATED_MAX = 4;

export interface HostSettings extends HolderSettings {
  /** Sessions held at once. */
  readonly sessionsMax: number;
}

export interface HostPorts extends HolderPorts {
  readonly watch: BeatWatch;
  /** Runs one session in a process of its own; resolves when that process was started. Absent: it runs here. */
  readonly isolate?: (session: string) => Promise<void>;
}

export class SessionHost implements LocalSessions {
  readonly worker: string;
  readonly #ports: HostPorts;
  readonly #settings: HostSettings;
  readonly #holders = new Map<string, SessionHolder>();
  readonly #taking = new Set<string>();
  /** Sessions that a process was started for, and when. */
  readonly #isolated = new Map<string, number>();
  readonly #stop = new AbortController();
  #draining = false;
  #open = false;
  #drained: (() => void) | null = null;

  constructor(ports: HostPorts, settings: HostSettings, worker: string) {
    this.#ports = ports;
    this.#settings = settings;
    this.worker = worker;
  }

  /** From now on it takes sessions up; its worker beats. */
  open(): void {
    this.#open = true;
  }

  get size(): number {
    return this.#holders.size;
  }

  /** Mail up to this number is known here to exist, 0 for nothing. */
  knownMail(session: string): number {
    return this.#holders.get(session)?.knownMail ?? 0;
  }

  get #mayTake(): boolean {
    return this.#open && !this.#draining && !this.isFull;
  }

  get isFull(): boolean {
    return this.#holders.size + this.#taking.size >= this.#settings.sessionsMax;
  }

  /** Mail that is in the mailbox. False: its session is not held here. */
  offer(mail: Mail): boolean {
    const holder = this.#holders.get(mail.session);
    holder?.offer(mail);
    return holder !== undefined;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  birthHold(): Hold | null {
    return this.#mayTake ? { worker: this.worker, epoch: 1, tries: 0 } : null;
  }

  adoptNew(head: Head, firstMail: Promise<Mail>): boolean {
    const { session, hold } = head;
    if (hold === null || this.#holders.has(session)) return false;
    if (this.#taking.has(session)) {
      this.#reload(session).catch((error: unknown) => this.#failed(error));
      return false;
    }
    const holder = new SessionHolder(this.#ports, this.#settings, { ...head, hold: null }, hold);
    holder.expect(firstMail);
    this.#hold(holder);
    return true;
  }

  #failed(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#ports.onFatal(error);
  }

  adopt(head: Head): boolean {
    if (!this.#mayTake) return false;
    this.#takeOnce(head.session, head).catch((error: unknown) => {
      if (!isPassing(error) && !this.#stop.signal.aborted) this.#ports.onFatal(error);
    });
    return true;
  }

  /** Mail is there for a session that this worker is said to hold. */
  wake(session: string, mail?: Mail): void {
    const holder = this.#holders.get(session);
    if (holder !== undefined) {
      if (mail === undefined) holder.wake();
      else holder.offer(mail);
    } else {
      this.activate(session).catch((error: unknown) => this.#ports.onFatal(error));
    }
  }

  /** Takes the session up unless a living worker has it. Resolves when it is held (or is not ours to take). */
  async activate(session: string): Promise<void> {
    const holder = this.#holders.get(session);
    if (holder !== undefined) return holder.wake();
    if (!this.#mayTake) return;
    try {
      await this.#takeOnce(session);
    } catch (error) {
      if (!isPassing(error) && !this.#stop.signal.aborted) throw error;
    }
  }

  async #take(session: string, seen?: Head): Promise<void> {
    const { store, clock, hints } = this.#ports;
    const head = seen ?? (await store.readHead(session));
    if (head === null || !this.#isOurs(head)) {
      if (head?.hold) hints.wakeWorker(head.hold.worker, session, head.mailHint);
      return;
    }
    const tries = triesOf(head, this.worker);
    if (tries === ISOLATE_AT_TRIES && this.#ports.isolate !== undefined) return this.#isolate(session);
    const hold = await takeHold(store, clock, head, { worker: this.worker, tries }, this.#stop.signal);
    if (hold === null) return;
    if (tries >= QUARANTINE_AT_TRIES) return quarantine(this.#ports, head, hold, this.#stop.signal);
    this.#hold(new SessionHolder(this.#ports, this.#settings, head, hold));
  }

  /** Starts a process for it, unless that was done a moment ago. */
  async #isolate(session: string): Promise<void> {
    const now = this.#ports.clock.monotonicMs();
    for (const [known, atMs] of this.#isolated) if (now - atMs > ISOLATE_AGAIN_MS) this.#isolated.delete(known);
    if (this.#isolated.has(session) || this.#isolated.size >= ISOLATED_MAX) return;
    this.#isolated.set(session, now);
    await this.#ports.isolate!(session);
  }

  /** Nobody holds it, or its holder is dead, or it is this worker, which holds nothing of that name. */
  #isOurs(head: Head): boolean {
    if (head.status === "quarantined" || head.status === "deleted") return false;
    if (head.hold === null || head.hold.worker === this.worker) return true;
    return this.#ports.watch.isDead(head.hold.worker);
  }

  #hold(holder: SessionHolder): void {
    this.#holders.set(holder.session, holder);
    if (this.#draining) holder.drain();
    holder
      .run()
      .finally(() => {
        this.#holders.delete(holder.session);
        if (this.#holders.size === 0) this.#drained?.();
      })
      .then((end) => (end === "lost" ? this.#reload(holder.session) : undefined))
      .catch((error: unknown) => this.#failed(error));
  }

  /**
   * Another writer was faster, but the head may still name this worker: the one before us slipped in a commit while we
   * were taking over. Nobody else would come for the session, so it is taken up again.
   */
  async #reload(session: string): Promise<void> {
    const { clock, store } = this.#ports;
    while (!this.#holders.has(session)) {
      // Another attempt may be under way and come to nothing: only the head tells.
      const head = await persist(clock, this.#stop.signal, () => store.readHead(session));
      if (head?.hold?.worker !== this.worker) return;
      await persist(clock, this.#stop.signal, () => this.#takeOnce(session));
      if (!this.#holders.has(session)) await sleep(clock, RELOAD_AGAIN_MS, this.#stop.signal);
    }
  }

  async #takeOnce(session: string, seen?: Head): Promise<void> {
    if (this.#taking.has(session) || this.#holders.has(session)) return;
    this.#taking.add(session);
    try {
      await this.#take(session, seen);
    } finally {
      this.#taking.delete(session);
    }
  }

  /** Takes nothing more; resolves when every session is parked or `graceMs` is over, then gives up the rest. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    for (const holder of this.#holders.values()) holder.drain();
    if (this.#holders.size > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#ports.clock.after(graceMs, resolve);
        this.#drained = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#stop.abort();
    for (const holder of this.#holders.values()) holder.abandon();
  }
}
