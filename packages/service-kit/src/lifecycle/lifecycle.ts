/** What a process opens it closes again, in reverse order, once. */
import type { Logger } from "../logs/logger.ts";

type Close = () => Promise<void> | void;

export class Lifecycle {
  readonly #logger: Logger;
  readonly #closers: { readonly name: string; readonly close: Close }[] = [];
  #closing: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Remembers how to close a thing; returns the thing. */
  onClose(name: string, close: Close): void {
    this.#closers.push({ name, close });
  }

  /** Closes everything, the last opened first. A step that fails is logged and the rest goes on. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const { name, close } of this.#closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        this.#logger.warn({ error, step: name }, "a step of the shutdown failed");
      }
    }
  }
}

/** A signal to a whole group of processes may come twice: by itself, and passed on by a parent. This close, it is one. */
export const SAME_SIGNAL_MS = 500;

/**
 * Calls `stop` on the first SIGTERM or SIGINT and exits with 0 when it is done; a second signal exits at once with 130.
 */
export function stopOnSignals(logger: Logger, stop: () => Promise<void>): void {
  let stoppingMs: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppingMs !== null) {
      if (performance.now() - stoppingMs > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    stoppingMs = performance.now();
    logger.info({ signal }, "stopping");
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/**
 * Ends the process with 70, with a word in its log, when something throws where nobody can catch it: a timer or a
 * promise that a tool of the operator left behind. What state the process is in then, nobody knows.
 */
export function endOnStray(logger: Logger): void {
  // Rejections that nobody handles come here too, with an origin that says so.
  process.on("uncaughtException", (error, origin) => {
    try {
      logger.error({ error, origin }, "something threw where nobody could catch it; this process ends");
    } finally {
      process.exit(70);
    }
  });
}
