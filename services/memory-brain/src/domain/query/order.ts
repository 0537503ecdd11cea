/** The order in which the patterns of a segment run: at each point the one that is expected to give the fewest rows. */
import type { Arg, FilterOp, PatternOp, Segment } from "./algebra.ts";
import { slotsOf } from "./algebra.ts";

export interface Statistics {
  /** About how many active elements there are of a kind and its types. */
  count(kind: 0 | 1 | 2 | 3 | 4, types: readonly number[] | undefined): number;
}

export interface PlannedStep {
  readonly op: PatternOp;
  /** How the rows are found, for people. */
  readonly access: string;
  /** Rows expected for each row before. */
  readonly fanout: number;
  /** Filters that can run right after. */
  readonly filters: readonly FilterOp[];
}

interface Choice {
  readonly fanout: number;
  readonly access: string;
}
const choice = (fanout: number, access: string): Choice => ({ fanout, access });

const isBound = (arg: Arg | undefined, bound: ReadonlySet<number>): boolean =>
  arg !== undefined && (arg.k === "const" || bound.has(arg.slot));

function propositionChoice(
  op: Extract<PatternOp, { op: "proposition" }>,
  bound: ReadonlySet<number>,
  statistics: Statistics,
): Choice {
  if (op.slot !== undefined && bound.has(op.slot)) return choice(1, "proposition by id");
  const subject = isBound(op.subject, bound);
  const object = isBound(op.object, bound);
  if (subject && object) return choice(0.5, "proposition by subject and object");
  if (subject) return choice(4, "proposition by subject");
  if (object) return choice(12, "proposition by object");
  return choice(
    Math.max(20, statistics.count(1, op.types)),
    op.types === undefined ? "every proposition" : "propositions of the predicate",
  );
}

function recordChoice(
  op: Extract<PatternOp, { op: "record" }>,
  bound: ReadonlySet<number>,
  statistics: Statistics,
): Choice {
  if (bound.has(op.slot) || isBound(op.id, bound)) return choice(1, "record by id");
  if (isBound(op.proposition, bound)) return choice(2, "assertions of the proposition");
  if (isBound(op.actor, bound))
    return choice(Math.max(30, statistics.count(2, undefined) / 20), "assertions of the actor");
  return choice(
    Math.max(25, statistics.count(op.kind, op.types)),
    op.types === undefined ? "every record of the kind" : "records of the class",
  );
}

function conceptChoice(
  op: Extract<PatternOp, { op: "concept" }>,
  bound: ReadonlySet<number>,
  statistics: Statistics,
): Choice {
  if (bound.has(op.slot) || isBound(op.id, bound)) return choice(0.9, "concept by id");
  if (isBound(op.key, bound)) return choice(1, op.types === undefined ? "concept by key" : "concept by type and key");
  if (isBound(op.name, bound)) return choice(2, "concepts by name");
  return choice(
    Math.max(15, statistics.count(0, op.types)),
    op.types === undefined ? "every concept" : "concepts of the type",
  );
}

function choose(op: PatternOp, bound: ReadonlySet<number>, statistics: Statistics): Choice {
  switch (op.op) {
    case "id":
      return choice(1, "proposition by id");
    case "concept":
      return conceptChoice(op, bound, statistics);
    case "record":
      return recordChoice(op, bound, statistics);
    case "proposition":
      return propositionChoice(op, bound, statistics);
    case "path": {
      const ends = Number(isBound(op.subject, bound)) + Number(isBound(op.object, bound));
      if (ends === 0) return choice(10 * Math.max(20, statistics.count(1, op.types)), "paths from every subject");
      return choice(ends === 2 ? 1 : 50, "paths from what is bound");
    }
    case "edge":
      if (isBound(op.source, bound)) return choice(isBound(op.target, bound) ? 0.5 : 3, "links of the source");
      return isBound(op.target, bound) ? choice(5, "links to the target") : choice(10_000, "every link of the field");
    case "search":
      return choice(op.limit, "keyword index");
    case "belief": {
      // Beliefs bind little and cost much: they wait for their subject, unless nothing else can bind it.
      const { target } = op;
      const ready = target.k === "tuple" ? isBound(target.subject, bound) : isBound(target.proposition, bound);
      return ready ? choice(3, "projection of the slot") : choice(1e9, "projection without a bound target");
    }
    case "slot":
      return isBound(op.subject, bound)
        ? choice(2, "projection of the slot")
        : choice(1e9, "projection without a bound subject");
  }
}

export interface PlannedSegment {
  readonly steps: readonly PlannedStep[];
  /** Filters without variables, or whose variables are bound from outside: they run before the first step. */
  readonly before: readonly FilterOp[];
  /** Filters that wait for an OPTIONAL or for a UNION. */
  readonly after: readonly FilterOp[];
}

export function orderSegment(segment: Segment, outer: ReadonlySet<number>, statistics: Statistics): PlannedSegment {
  const bound = new Set(outer);
  // A variable that an OPTIONAL of this segment may bind has to wait for it.
  const late = new Set(segment.optionals.flatMap((op) => op.block.binds));
  for (const op of segment.patterns) for (const slot of slotsOf(op)) late.delete(slot);
  for (const slot of outer) late.delete(slot);
  const waiting = new Set(segment.filters);
  const takeFilters = (): FilterOp[] => {
    const ready = [...waiting].filter((filter) => filter.slots.every((slot) => bound.has(slot) && !late.has(slot)));
    for (const filter of ready) waiting.delete(filter);
    return ready;
  };
  const before = takeFilters();
  const remaining = [...segment.patterns];
  const steps: PlannedStep[] = [];
  while (remaining.length > 0) {
    let best = 0;
    let found = choose(remaining[0]!, bound, statistics);
    for (let index = 1; index < remaining.length; index++) {
      const candidate = choose(remaining[index]!, bound, statistics);
      if (candidate.fanout < found.fanout) [best, found] = [index, candidate];
    }
    const op = remaining.splice(best, 1)[0]!;
    for (const slot of slotsOf(op)) bound.add(slot);
    steps.push({ op, ...found, filters: takeFilters() });
  }
  return { steps, before, after: [...waiting] };
}
