/** Keeps an eye on whether stores and peers answer. */
import type { Platform } from "./compose.ts";

/** How often stores and peers are asked. */
const HEALTH_EVERY_MS = 1_000;

/** Logs when the process becomes ready or ceases to be, and tells the health service. Ends with the lifecycle. */
export function watchHealth({ readiness, lifecycle, logger, clock }: Platform, tell: (ready: boolean) => void): void {
  let before: boolean | null = null;
  let stopped = false;
  let cancel = (): void => undefined;
  const look = (): void => {
    readiness
      .look()
      .then((results) => {
        const problems = results.filter(({ ok }) => !ok);
        const ready = problems.length === 0;
        if (ready !== before) logger[ready ? "info" : "warn"]({ ready, problems }, ready ? "ready" : "not ready");
        before = ready;
        tell(ready);
      })
      .catch((error: unknown) => logger.warn({ error }, "readiness could not be told"))
      .finally(() => {
        if (!stopped) cancel = clock.after(HEALTH_EVERY_MS, look);
      });
  };
  look();
  lifecycle.onClose("health", () => {
    stopped = true;
    cancel();
  });
}
