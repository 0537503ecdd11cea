/** TRANSITION, MERGE CONCEPT, PURGE and PURGE PAYLOAD. */
import { nearest } from "@mainspring/kernel";
import { KipError, MERGE_HOPS_MAX, type Merge, type Purge, type PurgePayload, type Transition } from "@mainspring/kip";
import type {
  ActivityBody,
  ActivityStatus,
  AssertionBody,
  Body,
  ElementRow,
  EvidenceBody,
} from "../../domain/element.ts";
import { STATE, STATE_NAMES } from "../../domain/element.ts";
import { formatId, KIND, KIND_NAMES, kindOf } from "../../domain/element-id.ts";
import { textOfScalar } from "../../domain/query/scalar.ts";
import { checkGuards } from "./guards.ts";
import { changeLinks, requireKind } from "./links.ts";
import { ACTIVITY_FIELDS, ACTIVITY_STATES, activityLinks, activityTimes } from "./records.ts";
import { holds, selectTargets } from "./select.ts";
import type { Transaction } from "./transaction.ts";
import { objectOf, refOf } from "./values.ts";

const STATES: readonly (readonly string[])[] = [
  ["active"],
  ["active"],
  ["active", "retracted", "superseded"],
  ["active", "corrected"],
  ACTIVITY_STATES,
];
const STORAGE_STATES = ["archived", "tombstoned"];

const invalid = (row: ElementRow, from: string, to: string): KipError =>
  new KipError("InvalidLifecycleTransition", `${formatId(row.eid)} is ${from} and cannot become ${to}`, {
    details: { from, to },
  });

/** Nothing leads back: what is active stays so, and what is not does not become it again. */
function staysActive(row: ElementRow): void {
  const from = row.state === STATE.active ? ((row.body as AssertionBody | EvidenceBody).status ?? "active") : null;
  if (from !== "active") throw invalid(row, from ?? STATE_NAMES[row.state]!, "active");
}

/** Archive and tombstone: every kind. */
function storage(transaction: Transaction, row: ElementRow, to: "archived" | "tombstoned"): void {
  const from = STATE_NAMES[row.state]!;
  if (from === to) return;
  if (row.state !== STATE.active && !(row.state === STATE.archived && to === "tombstoned"))
    throw invalid(row, from, to);
  transaction.save({ ...row, state: STATE[to] }, [], "lifecycle", { state: { from, to } });
}

const contextKey = (body: AssertionBody, transaction: Transaction): string =>
  JSON.stringify(
    [...new Set((body.contexts ?? []).map((eid) => transaction.writer.canonical(eid)))].sort(
      (left, right) => left - right,
    ),
  );

/** One's own claim about the same matter in the same context, or nothing. */
function requireSuccession(
  transaction: Transaction,
  old: ElementRow<AssertionBody>,
  next: ElementRow<AssertionBody>,
): void {
  const mismatch = (why: string): KipError =>
    new KipError("SupersessionMismatch", `${formatId(next.eid)} does not supersede ${formatId(old.eid)}: ${why}`);
  if (old.eid === next.eid) throw mismatch("it is the same claim");
  if (old.b !== next.b) throw mismatch("another actor made it");
  if (contextKey(old.body, transaction) !== contextKey(next.body, transaction))
    throw mismatch("it holds in another context");
  if (old.a === next.a) return;
  const [one, other] = [transaction.row(old.a!), transaction.row(next.a!)];
  if (one.a !== other.a || one.type !== other.type) throw mismatch("it is about another subject or predicate");
}

export function supersede(transaction: Transaction, target: number, by: number): void {
  requireKind(target, 2, "a superseded element");
  requireKind(by, 2, "what supersedes");
  const old = transaction.target(target) as ElementRow<AssertionBody>;
  const from = old.body.status ?? "active";
  if (from === "superseded" && old.body.superseded_by === by) return;
  if (from !== "active" || old.state !== STATE.active)
    throw invalid(old, from === "active" ? STATE_NAMES[old.state]! : from, "superseded");
  requireSuccession(transaction, old, transaction.row(by) as ElementRow<AssertionBody>);
  const body: AssertionBody = { ...old.body, status: "superseded", superseded_by: by };
  transaction.save({ ...old, body }, [], "lifecycle", { state: { from, to: "superseded" }, refs: [formatId(by)] });
}

function retract(transaction: Transaction, row: ElementRow<AssertionBody>): void {
  const from = row.body.status ?? "active";
  if (from === "retracted") return;
  if (from !== "active") throw invalid(row, from, "retracted");
  const { principal, actor } = transaction.authority;
  if (
    actor !== undefined &&
    transaction.writer.canonical(actor) !== row.b &&
    principal !== "owner" &&
    principal !== "maintenance"
  ) {
    throw new KipError("RetractionNotAuthorized", `${formatId(row.eid)} is the claim of ${formatId(row.b!)}`);
  }
  transaction.save({ ...row, body: { ...row.body, status: "retracted" } }, [], "lifecycle", {
    state: { from, to: "retracted" },
  });
}

function correct(transaction: Transaction, row: ElementRow<EvidenceBody>, by: number | undefined): void {
  if (by === undefined) throw new KipError("InvalidSyntax", 'TO "corrected" needs BY the new Evidence');
  requireKind(by, 3, "a correction");
  if (by === row.eid) throw new KipError("EvidenceCorrectionConflict", "Evidence does not correct itself");
  if (row.body.status === "corrected") {
    if (row.body.corrected_by === by) return;
    throw new KipError(
      "EvidenceCorrectionConflict",
      `${formatId(row.eid)} was corrected by ${formatId(row.body.corrected_by!)}`,
    );
  }
  transaction.row(by);
  const body: EvidenceBody = { ...row.body, status: "corrected", corrected_by: by };
  transaction.save({ ...row, body }, [], "lifecycle", {
    state: { from: "active", to: "corrected" },
    refs: [formatId(by)],
  });
}

const NEXT: Readonly<Record<ActivityStatus, readonly ActivityStatus[]>> = {
  pending: ["running", "cancelled"],
  running: ["completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

function advance(transaction: Transaction, node: Transition, row: ElementRow<ActivityBody>, to: ActivityStatus): void {
  const from = row.body.status;
  const values = objectOf(transaction, node.changes.fields);
  const unknown = Object.keys(values).find(
    (name) => !ACTIVITY_FIELDS.includes(name) || name === "activity_class" || name === "status",
  );
  if (unknown !== undefined) throw new KipError("ImmutableField", `${unknown} is not finalised by a transition`);
  if (from === to && Object.keys(values).length === 0 && node.changes.structural === undefined) return;
  if (NEXT[from].length === 0) throw new KipError("ActivityTerminal", `${formatId(row.eid)} is ${from}`);
  if (!NEXT[from].includes(to)) throw invalid(row, from, to);
  const linked = changeLinks(transaction, row.eid, [...activityLinks(values), ...(node.changes.structural ?? [])], []);
  const body: ActivityBody = { ...row.body, status: to, ...activityTimes(values) };
  transaction.save({ ...row, body }, linked ? ["STRUCTURAL"] : [], "lifecycle", { state: { from, to } });
}

export function transitionStatement(transaction: Transaction, node: Transition): void {
  const to = textOfScalar(node.to, "a state");
  const by = node.by === undefined ? undefined : refOf(transaction, node.by, "BY");
  for (const eid of selectTargets(transaction, node.target, node.where, node.limit)) {
    const kind = kindOf(eid);
    const known = [...STATES[kind]!, ...STORAGE_STATES];
    if (!known.includes(to)) {
      const near = nearest(to, known);
      throw new KipError(
        "ConstraintViolation",
        `${KIND_NAMES[kind]} has no state ${JSON.stringify(to)}${near === undefined ? "" : `; did you mean ${near}?`}`,
      );
    }
    if (to === "superseded") {
      if (by === undefined) throw new KipError("InvalidSyntax", 'TO "superseded" needs BY the newer Assertion');
      checkGuards(transaction, transaction.row(eid), node.guards, formatId(eid));
      supersede(transaction, eid, by);
      continue;
    }
    const row = transaction.target(eid);
    checkGuards(transaction, row, node.guards, formatId(eid));
    if (to === "archived" || to === "tombstoned") {
      storage(transaction, row, to);
      continue;
    }
    if (to === "active") {
      staysActive(row);
      continue;
    }
    if (row.state !== STATE.active) throw invalid(row, STATE_NAMES[row.state]!, to);
    if (kind === 2) retract(transaction, row as ElementRow<AssertionBody>);
    else if (kind === 3) correct(transaction, row as ElementRow<EvidenceBody>, by);
    else advance(transaction, node, row as ElementRow<ActivityBody>, to as ActivityStatus);
  }
}

/** How many merges already lead to the concept, at most; the chain that results has to stay within the bound. */
function chainInto(transaction: Transaction, eid: number): number {
  let depth = 0;
  let level = [eid];
  while (level.length > 0 && depth <= MERGE_HOPS_MAX) {
    level = level.flatMap((target) => transaction.writer.mergedInto(target));
    if (level.length > 0) depth++;
  }
  return depth;
}

export function mergeStatement(transaction: Transaction, node: Merge): void {
  if (!holds(transaction, node.where)) return;
  const source = refOf(transaction, node.target, "the source");
  const target = transaction.writer.canonical(refOf(transaction, node.into, "the target"));
  for (const eid of [source, target])
    if (kindOf(eid) !== 0) throw new KipError("TypeMismatch", `${formatId(eid)} is not a Concept`);
  const row = transaction.target(source);
  checkGuards(transaction, row, node.guards, formatId(source));
  const into = transaction.row(target);
  if (source === target) throw new KipError("IdentityMergeConflict", "merging these concepts would make a cycle");
  if (row.state === STATE.merged) {
    if (transaction.writer.canonical(source) === target) return;
    throw new KipError("IdentityMergeConflict", `${formatId(source)} is merged into another concept`);
  }
  if (row.state !== STATE.active || into.state !== STATE.active)
    throw new KipError("IdentityMergeConflict", "only active concepts are merged");
  if (chainInto(transaction, source) + 1 > MERGE_HOPS_MAX)
    throw new KipError("IdentityMergeConflict", `a chain of merges has at most ${MERGE_HOPS_MAX} links`);
  transaction.save({ ...row, state: STATE.merged, a: target }, [], "merge", { refs: [formatId(target)] });
  transaction.writer.repoint(source, target);
}

const POLICIES = ["deny_if_referenced", "tombstone_reference", "authorized_cascade"];

const isCorrected = ({ eid, body }: ElementRow): boolean =>
  kindOf(eid) === KIND.evidence && (body as EvidenceBody).status === "corrected";

function erase(transaction: Transaction, row: ElementRow): void {
  if (row.body.retention?.legal_hold === true) throw new KipError("LegalHoldConflict", `${formatId(row.eid)} is held`);
  const stub: ElementRow = {
    ...row,
    state: STATE.purged,
    version: row.version + 1,
    updatedSeq: transaction.writer.nextSeq,
    updatedAt: transaction.now,
    type: 0,
    key: null,
    name: null,
    a: null,
    b: null,
    literal: null,
    // What rested on corrected evidence does not count again for its being gone.
    body: (isCorrected(row) ? { status: "corrected" } : {}) as Body,
  };
  transaction.writer.erase(stub, false);
  transaction.noteErased(stub, "purge");
}

/** The claims and tuples that would be left hanging, and theirs in turn. */
function closure(transaction: Transaction, eid: number): number[] {
  const found = new Set<number>([eid]);
  for (const member of found) {
    for (const dependent of transaction.writer.dependents(member)) found.add(dependent);
    transaction.checkDeadline();
  }
  return [...found].reverse();
}

export function purgeStatement(transaction: Transaction, node: Purge): void {
  const policy = node.policy === undefined ? "deny_if_referenced" : textOfScalar(node.policy, "REFERENCE POLICY");
  if (!POLICIES.includes(policy))
    throw new KipError("ConstraintViolation", `REFERENCE POLICY is one of ${POLICIES.join(", ")}`, {
      hint: 'Write PURGE … REFERENCE POLICY "tombstone_reference" CONFIRM "PURGE".',
    });
  if (policy === "authorized_cascade") transaction.requirePrincipal(["owner", "maintenance"], "a cascading purge");
  for (const eid of selectTargets(transaction, node.target, node.where, node.limit)) {
    const row = transaction.target(eid);
    checkGuards(transaction, row, node.guards, formatId(eid));
    const references = transaction.writer.references(eid);
    if (policy === "deny_if_referenced" && references > 0) {
      throw new KipError("PurgeDenied", `${formatId(eid)} is referenced ${references} times`, {
        details: { references },
      });
    }
    const members = policy === "authorized_cascade" ? closure(transaction, eid) : [eid];
    for (const member of members) erase(transaction, transaction.row(member));
  }
}

export function purgePayloadStatement(transaction: Transaction, node: PurgePayload): void {
  for (const eid of selectTargets(transaction, node.target, node.where, node.limit)) {
    if (kindOf(eid) !== 3) throw new KipError("TypeMismatch", `${formatId(eid)} is not Evidence and has no payload`);
    const row = transaction.target(eid) as ElementRow<EvidenceBody>;
    checkGuards(transaction, row, node.guards, formatId(eid));
    if (row.body.retention?.legal_hold === true) throw new KipError("LegalHoldConflict", `${formatId(eid)} is held`);
    if (row.body.payload === undefined) continue;
    const { payload: _payload, ...rest } = row.body;
    transaction.save({ ...row, body: { ...rest, payload_purged: true } }, [], "payload_purge");
    transaction.writer.scrub(eid, "payload");
  }
}
