/** Readiness that means it: a service is ready when its stores and peers answer. */
import type { Clock } from "@mainspring/kernel";

/** Longest that one check may take before it counts as failed. */
export const CHECK_TIMEOUT_MS = 2_000;

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** Why not, safe to show. */
  readonly problem: string;
}

export class Readiness {
  readonly #clock: Clock;
  readonly #checks: { readonly name: string; readonly check: () => Promise<void> }[] = [];
  #draining = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(name: string, check: () => Promise<void>): void {
    this.#checks.push({ name, check });
  }

  /** From now on not ready, whatever answers. */
  drain(): void {
    this.#draining = true;
  }

  async look(): Promise<CheckResult[]> {
    const results = await Promise.all(this.#checks.map(({ name, check }) => this.#one(name, check)));
    if (this.#draining) results.push({ name: "draining", ok: false, problem: "the service is stopping" });
    return results;
  }

  /** What `/readyz` says. */
  async tell(): Promise<{ readonly status: "ready" | "not ready"; readonly checks: readonly CheckResult[] }> {
    const checks = await this.look();
    return { status: checks.every((check) => check.ok) ? "ready" : "not ready", checks };
  }

  async #one(name: string, check: () => Promise<void>): Promise<CheckResult> {
    let cancel = (): void => undefined;
    const timeout = new Promise<string>((resolve) => {
      cancel = this.#clock.after(CHECK_TIMEOUT_MS, () => resolve("no answer in time"));
    });
    const answer = check().then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : "unavailable"),
    );
    const problem = await Promise.race([answer, timeout]);
    cancel();
    return { name, ok: problem === "", problem };
  }
}
