/** A wake-up that is not lost when nobody waits: raised before the wait, it ends the wait at once. */
import type { Clock } from "@mainspring/kernel";

export class Wakeup {
  #raised = false;
  #resolve: (() => void) | null = null;

  raise(): void {
    this.#raised = true;
    this.#resolve?.();
  }

  /** Resolves when raised (true) or after `timeoutMs` (false). One waiter at a time. */
  async wait(clock: Clock, timeoutMs: number): Promise<boolean> {
    if (!this.#raised) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(timeoutMs, resolve);
        this.#resolve = () => {
          cancel();
          resolve();
        };
      });
      this.#resolve = null;
    }
    const raised = this.#raised;
    this.#raised = false;
    return raised;
  }
}
