/** Independence of support: what goes back to the same source counts once, however often it is repeated or derived. */
import type { Claim } from "./claim.ts";

/** Most derivation steps that tracing follows from one piece of evidence. */
export const DERIVATION_STEPS_MAX = 1024;

/**
 * The sources that `start` was derived from. An element without inputs is its own source. A cycle has no source beyond
 * itself, so it stands for itself under its smallest id.
 */
export function rootsOf(start: string, inputsOf: (id: string) => readonly string[]): string[] {
  const seen = new Set<string>([start]);
  const pending = [start];
  const roots = new Set<string>();
  while (pending.length > 0 && seen.size <= DERIVATION_STEPS_MAX) {
    const id = pending.pop()!;
    const inputs = inputsOf(id);
    if (inputs.length === 0) roots.add(id);
    for (const input of inputs) {
      if (seen.has(input)) continue;
      seen.add(input);
      pending.push(input);
    }
  }
  if (roots.size === 0) roots.add([...seen].sort()[0]!);
  return [...roots].sort();
}

const ownRoots = (claim: Claim): readonly string[] => (claim.roots.length > 0 ? claim.roots : [`actor:${claim.actor}`]);

/** The claims in groups that share no root, each group's roots sorted, groups in order of their first root. */
export function rootGroups(claims: readonly Claim[]): string[][] {
  const groups: Set<string>[] = [];
  for (const claim of claims) {
    const joined = new Set(ownRoots(claim));
    for (let index = groups.length - 1; index >= 0; index--) {
      const group = groups[index]!;
      if (![...group].some((root) => joined.has(root))) continue;
      for (const root of group) joined.add(root);
      groups.splice(index, 1);
    }
    groups.push(joined);
  }
  return groups.map((group) => [...group].sort()).sort((left, right) => (left[0]! < right[0]! ? -1 : 1));
}
