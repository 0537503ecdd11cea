/** How long the outcome of an idempotency key is answered again. */
export const OUTCOME_RETENTION_MS = 48 * 3_600_000;
