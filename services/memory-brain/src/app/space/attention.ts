/**
 * What wants attention: watches that fired and commitments that are due. A commitment becomes due by time alone, which has
 * no place in the order of commits; so each due date is raised once, by an Activity, and has that one's place.
 */
import { KipError, type Json, type JsonObject } from "@mainspring/kip";
import { attentionCursor, attentionPosition, comparePositions } from "../../domain/attention.ts";
import type { ConceptBody, ElementRow } from "../../domain/element.ts";
import { formatId, KIND, kindOf } from "../../domain/element-id.ts";
import type { GraphView } from "../../ports/space-graph.ts";
import { isoTime } from "../render.ts";
import { namesOf } from "../query/names.ts";
import { runCommand, type SpaceScope } from "./scope.ts";

export const ATTENTION_PAGE_MAX = 50;
const PAGE_DEFAULT = 20;
/** Most due dates that one call raises; what is left the next one does. */
export const RAISE_MAX = 256;

const OPEN = ["pending", "blocked"];

const concepts = (scope: SpaceScope, type: string): ElementRow<ConceptBody>[] => {
  const view = scope.engine.view(undefined);
  const types = namesOf(view, scope.engine.environment).typeIds(type);
  if (types.length === 0) return [];
  return [...view.elements(view.find({ kind: KIND.concept, types })).values()] as ElementRow<ConceptBody>[];
};

const reviewKey = (row: ElementRow, dueAt: string): string => `commitment_review:${formatId(row.eid)}:${dueAt}`;

/** Open commitments whose due date has passed, and since when they are known to be due. */
function dueCommitments(
  scope: SpaceScope,
): { row: ElementRow<ConceptBody>; dueAt: string; raised: number | undefined }[] {
  const view = scope.engine.view(undefined);
  const now = isoTime(scope.now);
  return concepts(scope, "Commitment").flatMap((row) => {
    const { status, due_at: dueAt } = row.body.attributes ?? {};
    if (typeof status !== "string" || !OPEN.includes(status) || typeof dueAt !== "string" || dueAt > now) return [];
    const known = view.clientKey(reviewKey(row, dueAt));
    return [{ row, dueAt, raised: known === undefined ? undefined : view.element(known.eid)?.createdSeq }];
  });
}

/** Whether a due date has not been raised yet. */
export function hasUnraised(scope: SpaceScope): boolean {
  return dueCommitments(scope).some(({ raised }) => raised === undefined);
}

/** Raises the due dates that have not been. Gives how many it raised. */
export function raiseDue(scope: SpaceScope): number {
  const due = dueCommitments(scope).filter(({ raised }) => raised === undefined);
  const raising = due.slice(0, RAISE_MAX);
  for (const { row, dueAt } of raising) {
    runCommand(
      scope,
      `CREATE ACTIVITY ?x { CLIENT KEY :key SET FIELDS {activity_class: "commitment_review", status: "completed"}
        SET STRUCTURAL { ("inputs", :commitment) } }`,
      { key: reviewKey(row, dueAt), commitment: { id: formatId(row.eid) } },
    );
  }
  return raising.length;
}

/** Since which transaction the watch is fired. */
function firedSeq(view: GraphView, row: ElementRow<ConceptBody>): number {
  let since = row.updatedSeq;
  for (const version of view.versionsOf(row.eid).toReversed()) {
    if ((version.body as ConceptBody).attributes?.["status"] !== "fired") break;
    since = version.updatedSeq;
  }
  return since;
}

interface Item {
  readonly seq: number;
  readonly ref: string;
  readonly json: JsonObject;
}

const SUBJECTS = { watch_fired: "watches", commitment_due: "owed_to" } as const;

function items(scope: SpaceScope): Item[] {
  const view = scope.engine.view(undefined);
  const names = namesOf(view, scope.engine.environment);
  const item = (row: ElementRow<ConceptBody>, kind: keyof typeof SUBJECTS, seq: number): Item => {
    const { summary, due_at: dueAt, priority } = row.body.attributes ?? {};
    const ref = formatId(row.eid);
    const fields = names.field(SUBJECTS[kind]).ids;
    const targets = fields.length === 0 ? [] : view.edges({ fields, sources: [row.eid] });
    const json: JsonObject = {
      ref,
      kind,
      summary: typeof summary === "string" ? summary : "",
      raised_seq: seq,
      ...(typeof dueAt === "string" ? { due_at: dueAt } : {}),
      target_refs: targets
        .filter(({ target }) => kindOf(target) === KIND.concept)
        .map(({ target }) => formatId(target)),
      ...(priority === undefined || priority === null ? {} : { priority }),
    };
    return { seq, ref, json };
  };
  const fired = concepts(scope, "Watch").filter(({ body }) => body.attributes?.["status"] === "fired");
  const due = dueCommitments(scope).filter(({ raised }) => raised !== undefined);
  return [
    ...fired.map((row) => item(row, "watch_fired", firedSeq(view, row))),
    ...due.map(({ row, raised }) => item(row, "commitment_due", raised!)),
  ].sort(comparePositions);
}

/** What was raised after the cursor, oldest first. `complete`: there is no more for now. */
export function listAttention(scope: SpaceScope, asked: { readonly cursor: string; readonly limit: number }): Json {
  const limit = asked.limit === 0 ? PAGE_DEFAULT : asked.limit;
  if (limit > ATTENTION_PAGE_MAX) throw new KipError("ResultLimitExceeded", `limit is from 1 to ${ATTENTION_PAGE_MAX}`);
  const from = attentionPosition(asked.cursor);
  const after = items(scope).filter((item) => comparePositions(item, from) > 0);
  const shown = after.slice(0, limit);
  return {
    items: shown.map(({ json }) => json),
    attention_cursor: attentionCursor(shown.at(-1) ?? from),
    complete: shown.length === after.length,
  };
}
