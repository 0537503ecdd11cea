/**
 * `kip:memory-default`: which of several conflicting values to go by. The rules apply in order, each to the values that
 * the rules before left: task-scoped before general, the subject's own testimony before hearsay (an observation is not
 * hearsay), a later start before an earlier one. What remains alone wins; what remains together stays contested.
 */
import type { Claim } from "./claim.ts";
import { startKey } from "./time.ts";

export type PrecedenceRule = "task_scope" | "own_testimony" | "recency";

export interface Contender {
  readonly proposition: string;
  /** The claims that support the value at the asked instant. */
  readonly support: readonly Claim[];
}

type Keep = (contender: Contender) => boolean;

const scoped: Keep = ({ support }) => support.some((claim) => claim.contexts.length > 0);

function latestKey({ support }: Contender): string {
  return support.map(startKey).reduce((best, key) => (key > best ? key : best), "");
}

/** The contenders that each rule removed, and those that remain. */
export function rank(
  contenders: readonly Contender[],
  subject: string,
): { readonly remaining: readonly Contender[]; readonly outranked: ReadonlyMap<string, PrecedenceRule> } {
  const outranked = new Map<string, PrecedenceRule>();
  let remaining = contenders;
  const apply = (rule: PrecedenceRule, keep: Keep): void => {
    const kept = remaining.filter(keep);
    if (kept.length === 0 || kept.length === remaining.length) return;
    for (const contender of remaining) if (!keep(contender)) outranked.set(contender.proposition, rule);
    remaining = kept;
  };
  apply("task_scope", scoped);
  const own: Keep = ({ support }) => support.some((claim) => claim.actor === subject && claim.mode === "stated");
  const observed: Keep = ({ support }) => support.some((claim) => claim.mode === "observed");
  if (remaining.some(own)) apply("own_testimony", (contender) => own(contender) || observed(contender));
  const latest = remaining.map(latestKey).reduce((best, key) => (key > best ? key : best), "");
  apply("recency", (contender) => latestKey(contender) === latest);
  return { remaining, outranked };
}
