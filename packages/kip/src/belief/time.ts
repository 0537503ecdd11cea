/** The two ends of a claim, and where an instant lies: inside, outside, or not to be told. Intervals are [from, until). */
import type { Claim, TimePoint } from "./claim.ts";

export type TimeStatus = "inside" | "outside" | "indeterminate";

/** A missing start means "at the latest when it was asserted". */
export const startOf = (claim: Claim): TimePoint => claim.from ?? { latest: claim.assertedAt };

/** What claims are ordered by: the exact start, else its latest bound, else when it was asserted. */
export function startKey(claim: Claim): string {
  if (typeof claim.from === "string") return claim.from;
  return claim.from?.latest ?? claim.assertedAt;
}

/** Whether the instant has certainly reached the point, certainly not, or neither. */
function reached(point: TimePoint, at: string): "yes" | "no" | "unknown" {
  if (typeof point === "string") return at >= point ? "yes" : "no";
  if (point.latest !== undefined && at >= point.latest) return "yes";
  if (point.earliest !== undefined && at < point.earliest) return "no";
  return "unknown";
}

export function timeStatus(from: TimePoint, until: TimePoint | undefined, at: string): TimeStatus {
  const started = reached(from, at);
  const ended = until === undefined ? "no" : reached(until, at);
  if (started === "no" || ended === "yes") return "outside";
  return started === "yes" && ended === "no" ? "inside" : "indeterminate";
}

/** The instants after `at` at which a point changes from one answer to another. */
export function boundariesOf(point: TimePoint | undefined, at: string): string[] {
  if (point === undefined) return [];
  const instants = typeof point === "string" ? [point] : [point.earliest, point.latest];
  return instants.filter((instant): instant is string => instant !== undefined && instant > at);
}
