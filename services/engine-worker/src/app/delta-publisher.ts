/**
 * Sends the pieces of a model attempt to its readers, and keeps what they have seen for whoever takes over.
 *
 * An item is kept before its first piece is sent, so a reader never knows an item that the log will not know when the
 * attempt is lost. An attempt that is over within a moment needs none of this: its completion tells everything.
 */
import type { CancelTimer, Clock } from "@mainspring/kernel";

import type { AttemptKey, OutputLog, OutputPiece } from "../domain/output-log.ts";
import type { Hints } from "../ports/hints.ts";
import type { SessionStore } from "../ports/session-store.ts";

/** How often the text of an attempt under way is kept. */
export const PARTIAL_EVERY_MS = 500;
/** How long a new item waits for the end of the attempt before it is kept and shown. */
export const OPENING_WAIT_MS = 5;

export interface DeltaPublisherPorts {
  readonly clock: Clock;
  readonly store: SessionStore;
  readonly hints: Hints;
}

export class DeltaPublisher {
  readonly #ports: DeltaPublisherPorts;
  readonly #key: AttemptKey & { readonly session: string };
  readonly #log: OutputLog;
  readonly #signal: AbortSignal;
  /** Pieces that wait until their items are kept. */
  #waiting: OutputPiece[] = [];
  #itemsSeen = 0;
  #itemsKept = 0;
  #keptAtMs: number;
  #keeping = false;
  #cancelTimer: CancelTimer | null = null;

  constructor(
    ports: DeltaPublisherPorts,
    key: AttemptKey & { readonly session: string },
    log: OutputLog,
    signal: AbortSignal,
  ) {
    this.#ports = ports;
    this.#key = key;
    this.#log = log;
    this.#signal = signal;
    this.#keptAtMs = ports.clock.monotonicMs();
    signal.addEventListener("abort", () => this.#cancelTimer?.(), { once: true });
  }

  publish(pieces: readonly OutputPiece[]): void {
    if (this.#signal.aborted || pieces.length === 0) return;
    for (const piece of pieces) {
      this.#itemsSeen = Math.max(this.#itemsSeen, piece.item + 1);
      if (piece.item < this.#itemsKept && this.#waiting.length === 0) this.#send(piece);
      else this.#waiting.push(piece);
    }
    const now = this.#ports.clock.monotonicMs();
    if (this.#waiting.length > 0) this.#keepAfter(OPENING_WAIT_MS);
    else this.#keepAfter(Math.max(0, this.#keptAtMs + PARTIAL_EVERY_MS - now));
  }

  #send(piece: OutputPiece): void {
    const { session, run, step, attempt } = this.#key;
    this.#ports.hints.announceDelta(session, { run, step, attempt, ...piece });
  }

  #keepAfter(delayMs: number): void {
    if (this.#keeping || this.#cancelTimer !== null) return;
    this.#cancelTimer = this.#ports.clock.after(delayMs, () => {
      this.#cancelTimer = null;
      void this.#keep();
    });
  }

  async #keep(): Promise<void> {
    if (this.#signal.aborted) return;
    this.#keeping = true;
    const items = this.#itemsSeen;
    const waited = this.#waiting.length;
    const { session, run, step, attempt } = this.#key;
    const output = JSON.stringify(this.#log.partial());
    // What could not be kept is tried with the next piece, and at the latest told by the completion.
    const kept = await this.#ports.store.putPartial({ session, run, step, attempt, output }).then(
      () => true,
      () => false,
    );
    this.#keeping = false;
    this.#keptAtMs = this.#ports.clock.monotonicMs();
    if (this.#signal.aborted || !kept) return;
    this.#itemsKept = Math.max(this.#itemsKept, items);
    for (const piece of this.#waiting.splice(0, waited)) this.#send(piece);
    if (this.#waiting.length > 0) this.#keepAfter(0);
  }
}
