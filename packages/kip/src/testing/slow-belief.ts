/**
 * A second, plainly written implementation of the projection for comparison in tests. It shares no code with the first:
 * it asks of every pair of claims whether one ends the other and lists the possible answers instead of comparing bounds.
 */
import type { BeliefQuestion, Candidate, Claim, TimePoint } from "../belief/claim.ts";

export interface SlowAnswer {
  readonly slot: string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
}

const LONG_AGO = "0000-01-01T00:00:00.000Z";
const FAR_AHEAD = "9999-12-31T23:59:59.999Z";

const sortKey = (claim: Claim): string => {
  if (claim.from === undefined) return claim.assertedAt;
  if (typeof claim.from === "string") return claim.from;
  return claim.from.latest === undefined ? claim.assertedAt : claim.from.latest;
};

/** The earliest and the latest instant that a point can be. */
function extremes(point: TimePoint): [string, string] {
  return typeof point === "string" ? [point, point] : [point.earliest ?? LONG_AGO, point.latest ?? FAR_AHEAD];
}

function counts(claim: Claim, question: BeliefQuestion): boolean {
  if (!claim.visible || claim.misrecorded || claim.evidenceCorrected || claim.lifecycle !== "active") return false;
  if (["predicted", "hypothetical", "imported"].includes(claim.mode) && !question.includeHypothetical) return false;
  for (const context of claim.contexts) if (!question.contexts.includes(context)) return false;
  return true;
}

interface Pair {
  readonly claim: Claim;
  readonly candidate: Candidate;
}

function ends(later: Pair, earlier: Pair): boolean {
  const [one, two] = [later.claim, earlier.claim];
  if (one.actor !== two.actor || sortKey(one) <= sortKey(two)) return false;
  if (one.contexts.some((context) => !two.contexts.includes(context))) return false;
  if (two.contexts.some((context) => !one.contexts.includes(context))) return false;
  for (const claim of [one, two])
    if (claim.from === undefined && !["stated", "observed"].includes(claim.mode)) return false;
  if (one.proposition === two.proposition) return one.stance !== two.stance;
  const group = later.candidate.conflictGroup;
  return (
    group !== undefined &&
    group === earlier.candidate.conflictGroup &&
    one.stance === "support" &&
    two.stance === "support"
  );
}

/** Of two claims with the same key: whether the first may have begun earlier than the second. */
function leavesMoreOpen(claim: Claim, than: Claim): boolean {
  if (sortKey(claim) !== sortKey(than)) return false;
  const [one, two] = [claim, than].map((each) => extremes(each.from ?? { latest: each.assertedAt }));
  if (one![0] !== two![0]) return one![0] < two![0];
  // An unbounded end counts as the earliest here; both sides only need the same rule.
  const [left, right] = [claim, than].map((each) =>
    typeof each.from === "object" ? (each.from.latest ?? "") : sortKey(each),
  );
  return left !== right ? left! < right! : claim.id < than.id;
}

function endOf(pair: Pair, all: readonly Pair[]): TimePoint | undefined {
  if (pair.claim.until !== undefined) return pair.claim.until;
  let first: Pair | undefined;
  for (const other of all) {
    if (!ends(other, pair)) continue;
    const sooner = first === undefined || sortKey(other.claim) < sortKey(first.claim);
    if (sooner || (first !== undefined && leavesMoreOpen(other.claim, first.claim))) first = other;
  }
  return first === undefined ? undefined : (first.claim.from ?? { latest: first.claim.assertedAt });
}

/** Every answer to "does it hold at this instant" that the bounds leave possible. */
function possible(pair: Pair, all: readonly Pair[], at: string): Set<boolean> {
  const answers = new Set<boolean>();
  const until = endOf(pair, all);
  for (const start of extremes(pair.claim.from ?? { latest: pair.claim.assertedAt })) {
    for (const end of until === undefined ? [FAR_AHEAD] : extremes(until)) answers.add(at >= start && at < end);
  }
  return answers;
}

export function slowSlot(candidates: readonly Candidate[], question: BeliefQuestion): SlowAnswer {
  const all: Pair[] = [];
  for (const candidate of candidates) {
    for (const claim of candidate.claims) if (counts(claim, question)) all.push({ claim, candidate });
  }
  const statuses: Record<string, string> = {};
  const rules: Record<string, string> = {};
  const supportOf = new Map<Candidate, Claim[]>();
  for (const candidate of candidates) {
    const mine = all.filter((pair) => pair.candidate === candidate);
    const surely = mine.filter((pair) => !possible(pair, all, question.at).has(false)).map((pair) => pair.claim);
    const maybe = mine.filter((pair) => possible(pair, all, question.at).has(true)).map((pair) => pair.claim);
    const firm = (stance: string): boolean =>
      surely.some(
        (claim) =>
          claim.stance === stance &&
          claim.dependency === "current" &&
          (claim.confidence === undefined || claim.confidence >= 0.5),
      );
    const any = (stance: string): boolean => maybe.some((claim) => claim.stance === stance);
    if (firm("support") && firm("reject")) statuses[candidate.proposition] = "contested";
    else if (firm("support") && !any("reject")) statuses[candidate.proposition] = "accepted";
    else if (firm("reject") && !any("support")) statuses[candidate.proposition] = "rejected";
    else statuses[candidate.proposition] = maybe.length > 0 ? "uncertain" : "insufficient";
    supportOf.set(
      candidate,
      surely.filter((claim) => claim.stance === "support"),
    );
  }
  const supported = candidates.filter((one) => ["accepted", "contested"].includes(statuses[one.proposition]!));
  for (const group of new Set(supported.map((one) => one.conflictGroup))) {
    let rivals = supported.filter((one) => group !== undefined && one.conflictGroup === group);
    if (rivals.length < 2) continue;
    const drop = (rule: string, loses: (claims: Claim[]) => boolean): void => {
      const losers = rivals.filter((one) => loses(supportOf.get(one)!));
      if (losers.length === rivals.length) return;
      for (const loser of losers) {
        statuses[loser.proposition] = "uncertain";
        rules[loser.proposition] = rule;
      }
      rivals = rivals.filter((one) => !losers.includes(one));
    };
    if (question.policy === "kip:memory-default") {
      drop("task_scope", (claims) => claims.every((claim) => claim.contexts.length === 0));
      const own = (claim: Claim): boolean => claim.actor === question.subject && claim.mode === "stated";
      if (rivals.some((one) => supportOf.get(one)!.some(own))) {
        drop("own_testimony", (claims) => claims.every((claim) => !own(claim) && claim.mode !== "observed"));
      }
      const newest = rivals
        .flatMap((one) => supportOf.get(one)!.map(sortKey))
        .sort()
        .at(-1)!;
      drop("recency", (claims) => claims.every((claim) => sortKey(claim) < newest));
    }
    if (rivals.length > 1) for (const rival of rivals) statuses[rival.proposition] = "contested";
  }
  const found = new Set(Object.values(statuses));
  const slot = ["contested", "accepted", "uncertain"].find((status) => found.has(status)) ?? "insufficient";
  return { slot, statuses, rules };
}
