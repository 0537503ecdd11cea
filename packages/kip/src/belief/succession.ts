/**
 * Succession: what somebody says later about the same matter ends what the same one said before.
 *
 * It runs within one actor and one context set, between claims that were stated or observed or that have a written
 * start: an inference without one neither ends nor is ended. On the proposition line a successor takes another stance;
 * on the slot line it supports another value of the same conflict group. The successor's start becomes the end of an
 * open predecessor, with its uncertainty. Equal start keys do not succeed.
 */
import type { Candidate, Claim, TimePoint } from "./claim.ts";
import { startKey, startOf } from "./time.ts";

export interface Placed {
  readonly claim: Claim;
  readonly candidate: Candidate;
  readonly from: TimePoint;
  readonly until: TimePoint | undefined;
  /** The claim whose start ended this one. */
  readonly endedBy: string | undefined;
}

interface Entry {
  readonly claim: Claim;
  readonly candidate: Candidate;
  readonly key: string;
}

const takesPart = (claim: Claim): boolean =>
  claim.mode === "stated" || claim.mode === "observed" || claim.from !== undefined;
const lineOf = (claim: Claim): string => JSON.stringify([claim.actor, [...new Set(claim.contexts)].sort()]);

function succeeds(later: Entry, earlier: Entry): boolean {
  if (later.claim.proposition === earlier.claim.proposition) return later.claim.stance !== earlier.claim.stance;
  if (later.claim.stance !== "support" || earlier.claim.stance !== "support") return false;
  const group = earlier.candidate.conflictGroup;
  return group !== undefined && group === later.candidate.conflictGroup;
}

/**
 * By start key; among equal ones the start that leaves most open first, so that a belief does not depend on the order in
 * which claims were recorded.
 */
function byStart(left: Entry, right: Entry): number {
  const [one, two] = [orderOf(left), orderOf(right)];
  for (const [index, part] of one.entries()) {
    if (part !== two[index]) return part < two[index]! ? -1 : 1;
  }
  return 0;
}

/** An absent earliest bound sorts first; a later latest bound before an earlier one is of no consequence to equal keys. */
function orderOf({ key, claim }: Entry): readonly string[] {
  const start = startOf(claim);
  if (typeof start === "string") return [key, start, start, claim.id];
  return [key, start.earliest ?? "", start.latest ?? "", claim.id];
}

/** The first entry after `index` that ends it. Entries are in order of their keys; equal keys are skipped. */
function successorOf(line: readonly Entry[], index: number): Entry | undefined {
  const earlier = line[index]!;
  for (let next = index + 1; next < line.length; next++) {
    const later = line[next]!;
    if (later.key > earlier.key && succeeds(later, earlier)) return later;
  }
  return undefined;
}

const place = (entry: Entry, successor: Entry | undefined): Placed => ({
  claim: entry.claim,
  candidate: entry.candidate,
  from: startOf(entry.claim),
  until: successor === undefined ? entry.claim.until : startOf(successor.claim),
  endedBy: successor?.claim.id,
});

/** All eligible claims with their effective ends. */
export function placeClaims(candidates: readonly Candidate[], eligible: (claim: Claim) => boolean): Placed[] {
  const lines = new Map<string, Entry[]>();
  const placed: Placed[] = [];
  for (const candidate of candidates) {
    for (const claim of candidate.claims) {
      if (!eligible(claim)) continue;
      const entry: Entry = { claim, candidate, key: startKey(claim) };
      if (!takesPart(claim)) {
        placed.push(place(entry, undefined));
        continue;
      }
      const line = lines.get(lineOf(claim));
      if (line === undefined) lines.set(lineOf(claim), [entry]);
      else line.push(entry);
    }
  }
  for (const line of lines.values()) {
    line.sort(byStart);
    line.forEach((entry, index) => {
      placed.push(place(entry, entry.claim.until === undefined ? successorOf(line, index) : undefined));
    });
  }
  return placed;
}
