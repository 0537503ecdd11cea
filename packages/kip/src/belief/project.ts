/** The projection: claims and a question in, the belief about one proposition or about a whole slot out. */
import type { BeliefQuestion, BeliefStatus, Candidate, Claim } from "./claim.ts";
import { WEAK_CONFIDENCE_BELOW } from "./claim.ts";
import { exclusionOf, type Exclusion } from "./eligibility.ts";
import { rank, type Contender, type PrecedenceRule } from "./precedence.ts";
import { rootGroups } from "./roots.ts";
import { placeClaims, type Placed } from "./succession.ts";
import { boundariesOf, timeStatus, type TimeStatus } from "./time.ts";

export interface Side {
  /** The number of independent roots. */
  readonly score: number;
  readonly score_semantics: "independent_roots";
  readonly assertion_ids: readonly string[];
  readonly root_groups: readonly (readonly string[])[];
}

export type UncertaintyReason =
  | "time_indeterminate"
  | "weak_confidence"
  | "needs_review"
  | "unverifiable"
  | "stance_uncertain"
  | "direct_conflict"
  | "slot_conflict"
  | "outranked"
  | "no_basis";

export interface LedgerEntry {
  readonly assertion_id: string;
  readonly stance: Claim["stance"];
  readonly excluded?: Exclusion;
  readonly time?: TimeStatus;
  readonly ended_by?: string;
}

export interface Projection {
  readonly proposition: string;
  readonly status: BeliefStatus;
  /** What the claims about this proposition alone give, before other values of the slot are weighed. */
  readonly candidate_status: BeliefStatus;
  readonly conflict_refs: readonly string[];
  readonly conflict_reasons: readonly ("direct" | "functional_slot")[];
  readonly leading: "support" | "opposition" | "none";
  readonly support: Side;
  readonly opposition: Side;
  readonly uncertainty: { readonly level: "none" | "medium" | "high"; readonly reasons: readonly UncertaintyReason[] };
  readonly precedence?: { readonly rule: PrecedenceRule };
  readonly ledger: readonly LedgerEntry[];
}

export interface SlotProjection {
  readonly status: "accepted" | "contested" | "uncertain" | "insufficient";
  readonly accepted: readonly string[];
  readonly candidates: readonly Projection[];
  /** The next instant at which the answer may differ, or undefined. */
  readonly nextInvalidAt: string | undefined;
}

const byId = (left: string, right: string): number =>
  left.length === right.length ? (left < right ? -1 : left > right ? 1 : 0) : left.length - right.length;

function sideOf(claims: readonly Claim[]): Side {
  const groups = rootGroups(claims);
  return {
    score: groups.length,
    score_semantics: "independent_roots",
    assertion_ids: claims.map((claim) => claim.id).sort(byId),
    root_groups: groups,
  };
}

interface Judged {
  readonly candidate: Candidate;
  readonly status: BeliefStatus;
  readonly support: readonly Claim[];
  readonly opposition: readonly Claim[];
  readonly reasons: ReadonlySet<UncertaintyReason>;
  readonly ledger: readonly LedgerEntry[];
}

/** A claim can carry a side when nothing it depends on awaits review and somebody is confident enough of it. */
const carries = (claim: Claim): boolean =>
  claim.dependency === "current" && (claim.confidence ?? 1) >= WEAK_CONFIDENCE_BELOW;

function sideStrength(inside: readonly Claim[], indeterminate: readonly Claim[]): "firm" | "faint" | "none" {
  if (inside.some(carries)) return "firm";
  return inside.length > 0 || indeterminate.length > 0 ? "faint" : "none";
}

function collectReasons(
  inside: readonly Claim[],
  indeterminate: readonly Claim[],
  reasons: Set<UncertaintyReason>,
): void {
  if (indeterminate.length > 0) reasons.add("time_indeterminate");
  for (const claim of inside) {
    if (claim.dependency !== "current") reasons.add(claim.dependency);
    if ((claim.confidence ?? 1) < WEAK_CONFIDENCE_BELOW) reasons.add("weak_confidence");
  }
}

function statusOf(
  support: "firm" | "faint" | "none",
  opposition: "firm" | "faint" | "none",
  unsure: boolean,
): BeliefStatus {
  if (support === "firm" && opposition === "firm") return "contested";
  if (support === "firm" && opposition === "none") return "accepted";
  if (opposition === "firm" && support === "none") return "rejected";
  return support !== "none" || opposition !== "none" || unsure ? "uncertain" : "insufficient";
}

function judge(candidate: Candidate, placed: readonly Placed[], question: BeliefQuestion): Judged {
  const inside: Record<Claim["stance"], Claim[]> = { support: [], reject: [], uncertain: [] };
  const open: Record<Claim["stance"], Claim[]> = { support: [], reject: [], uncertain: [] };
  const ledger: LedgerEntry[] = [];
  for (const { claim, from, until, endedBy } of placed) {
    const time = timeStatus(from, until, question.at);
    if (time === "inside") inside[claim.stance].push(claim);
    if (time === "indeterminate") open[claim.stance].push(claim);
    ledger.push({
      assertion_id: claim.id,
      stance: claim.stance,
      time,
      ...(endedBy === undefined ? {} : { ended_by: endedBy }),
    });
  }
  for (const claim of candidate.claims) {
    const excluded = exclusionOf(claim, question);
    if (excluded !== undefined) ledger.push({ assertion_id: claim.id, stance: claim.stance, excluded });
  }
  ledger.sort((left, right) => byId(left.assertion_id, right.assertion_id));
  const support = sideStrength(inside.support, open.support);
  const opposition = sideStrength(inside.reject, open.reject);
  const unsure = inside.uncertain.length + open.uncertain.length > 0;
  const status = statusOf(support, opposition, unsure);
  const reasons = new Set<UncertaintyReason>();
  if (status === "contested") reasons.add("direct_conflict");
  if (status === "insufficient") reasons.add("no_basis");
  if (unsure) reasons.add("stance_uncertain");
  if (status === "uncertain") {
    collectReasons(inside.support, open.support, reasons);
    collectReasons(inside.reject, open.reject, reasons);
  }
  return { candidate, status, support: inside.support, opposition: inside.reject, reasons, ledger };
}

interface Conflict {
  readonly refs: readonly string[];
  readonly outcome: "contested" | "outranked" | "won";
  readonly rule: PrecedenceRule | undefined;
}

/** Values that are supported at the same instant and exclude each other, with the outcome for each. */
function conflictsOf(judged: readonly Judged[], question: BeliefQuestion): Map<string, Conflict> {
  const groups = new Map<string, Contender[]>();
  for (const { candidate, status, support } of judged) {
    if (candidate.conflictGroup === undefined || (status !== "accepted" && status !== "contested")) continue;
    const contender: Contender = { proposition: candidate.proposition, support };
    const group = groups.get(candidate.conflictGroup);
    if (group === undefined) groups.set(candidate.conflictGroup, [contender]);
    else group.push(contender);
  }
  const conflicts = new Map<string, Conflict>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const ranked =
      question.policy === "kip:memory-default"
        ? rank(group, question.subject)
        : { remaining: group, outranked: new Map<string, PrecedenceRule>() };
    for (const { proposition } of group) {
      const rule = ranked.outranked.get(proposition);
      const outcome = rule !== undefined ? "outranked" : ranked.remaining.length === 1 ? "won" : "contested";
      const refs = group.map((other) => other.proposition).filter((other) => other !== proposition);
      conflicts.set(proposition, { refs: refs.sort(byId), outcome, rule });
    }
  }
  return conflicts;
}

const LEVELS: Readonly<Record<BeliefStatus, "none" | "medium" | "high">> = {
  accepted: "none",
  rejected: "none",
  uncertain: "medium",
  contested: "high",
  insufficient: "high",
};

function leadingOf(status: BeliefStatus, support: Side, opposition: Side): "support" | "opposition" | "none" {
  if (status === "accepted") return "support";
  if (status === "rejected") return "opposition";
  if (status !== "uncertain" || support.score === opposition.score) return "none";
  return support.score > opposition.score ? "support" : "opposition";
}

function finish(judged: Judged, conflict: Conflict | undefined): Projection {
  const reasons = new Set(judged.reasons);
  let status = judged.status;
  if (conflict?.outcome === "outranked") {
    status = "uncertain";
    reasons.add("outranked");
  } else if (conflict?.outcome === "contested") {
    status = "contested";
    reasons.add("slot_conflict");
  }
  const support = sideOf(judged.support);
  const opposition = sideOf(judged.opposition);
  const kinds: ("direct" | "functional_slot")[] = [];
  if (judged.status === "contested") kinds.push("direct");
  if (conflict !== undefined) kinds.push("functional_slot");
  return {
    proposition: judged.candidate.proposition,
    status,
    candidate_status: judged.status,
    conflict_refs: conflict?.refs ?? [],
    conflict_reasons: kinds,
    leading: leadingOf(status, support, opposition),
    support,
    opposition,
    uncertainty: { level: LEVELS[status], reasons: [...reasons].sort() },
    ...(conflict?.rule === undefined ? {} : { precedence: { rule: conflict.rule } }),
    ledger: judged.ledger,
  };
}

function slotStatus(candidates: readonly Projection[]): SlotProjection["status"] {
  const has = (status: BeliefStatus): boolean => candidates.some((candidate) => candidate.status === status);
  if (has("contested")) return "contested";
  if (has("accepted")) return "accepted";
  return has("uncertain") ? "uncertain" : "insufficient";
}

function nextChange(placed: readonly Placed[], at: string): string | undefined {
  let next: string | undefined;
  for (const { from, until } of placed) {
    for (const instant of [...boundariesOf(from, at), ...boundariesOf(until, at)]) {
      if (next === undefined || instant < next) next = instant;
    }
  }
  return next;
}

/** The belief about every value of a slot. A slot without functional predicate has candidates without conflict group. */
export function projectSlot(candidates: readonly Candidate[], question: BeliefQuestion): SlotProjection {
  const placed = placeClaims(candidates, (claim) => exclusionOf(claim, question) === undefined);
  const byCandidate = Map.groupBy(placed, (entry) => entry.candidate);
  const judged = candidates.map((candidate) => judge(candidate, byCandidate.get(candidate) ?? [], question));
  const conflicts = conflictsOf(judged, question);
  const projections = judged
    .map((entry) => finish(entry, conflicts.get(entry.candidate.proposition)))
    .sort((left, right) => byId(left.proposition, right.proposition));
  return {
    status: slotStatus(projections),
    accepted: projections.filter((entry) => entry.status === "accepted").map((entry) => entry.proposition),
    candidates: projections,
    nextInvalidAt: nextChange(placed, question.at),
  };
}
