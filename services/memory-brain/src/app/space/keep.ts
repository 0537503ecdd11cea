/** Pinning, forgetting, and the Person of a user. */
import { KipError, type Json, type JsonObject } from "@mainspring/kip";
import { STATE } from "../../domain/element.ts";
import { kindOf, parseId } from "../../domain/element-id.ts";
import { runCommand, type SpaceScope } from "./scope.ts";

/** Most elements that one call forgets. */
export const FORGET_ENTITIES_MAX = 1_000;

export interface Pinned {
  readonly entity: string;
  readonly pinned: boolean;
  readonly updated: boolean;
}

/** A pinned element is kept out of archival. */
export function pin(
  scope: SpaceScope,
  { entity, pinned }: { readonly entity: string; readonly pinned: boolean },
): Pinned {
  const eid = parseId(entity);
  const row = eid === undefined ? undefined : scope.engine.view(undefined).element(eid);
  if (row === undefined || row.state === STATE.purged)
    throw new KipError("NotFoundOrNotVisible", `there is no element ${JSON.stringify(entity)}`);
  const isPinned = row.body.retention?.retention_class === "pinned";
  if (isPinned === pinned) return { entity, pinned, updated: false };
  const parameters = { target: { id: entity }, class: pinned ? "pinned" : "standard" };
  runCommand(scope, "SET RETENTION :target {retention_class: :class}", parameters);
  return { entity, pinned, updated: true };
}

/** In which order the kinds are purged, so that nothing of the list is denied for a reference from the list. */
const ORDER = [4, 2, 1, 3, 0];
const COUNTERS = [
  "deleted_concepts",
  "deleted_propositions",
  "deleted_assertions",
  "deleted_evidence",
  "deleted_activities",
] as const;

export interface ForgetAsked {
  readonly entities: readonly string[];
  readonly dryRun: boolean;
}

/** Purges each element; one that cannot be says why, and the others go on. A dry run leaves everything as it was. */
export function forget(scope: SpaceScope, { entities, dryRun }: ForgetAsked): JsonObject {
  if (entities.length === 0) throw new KipError("ConstraintViolation", "name at least one entity");
  if (entities.length > FORGET_ENTITIES_MAX)
    throw new KipError("ResultLimitExceeded", `at most ${FORGET_ENTITIES_MAX} entities are forgotten at a time`);
  const distinct = [...new Set(entities)];
  return scope.engine.store.attempt(() => {
    const counts: Record<string, number> = Object.fromEntries(COUNTERS.map((name) => [name, 0]));
    const outcomes = new Map<string, Json>();
    const rank = (id: string): number => ORDER.indexOf(kindOf(parseId(id) ?? 0));
    for (const entity of distinct.toSorted((left, right) => rank(left) - rank(right))) {
      const outcome = forgetOne(scope, entity);
      if (outcome.existed && outcome.error === undefined) counts[COUNTERS[kindOf(parseId(entity)!)]]! += 1;
      outcomes.set(entity, { entity, ...outcome });
    }
    const value = { dry_run: dryRun, ...counts, entities: distinct.map((entity) => outcomes.get(entity)!) };
    return { value, keep: !dryRun };
  });
}

interface Forgotten {
  readonly existed: boolean;
  readonly error?: string;
}

function forgetOne(scope: SpaceScope, entity: string): Forgotten {
  const eid = parseId(entity);
  if (eid === undefined) return { existed: false, error: "not an id" };
  const row = scope.engine.view(undefined).element(eid);
  if (row === undefined || row.state === STATE.purged) return { existed: false };
  try {
    runCommand(scope, 'PURGE :target CONFIRM "PURGE"', { target: { id: entity } });
    return { existed: true };
  } catch (error) {
    if (!(error instanceof KipError) || error.code === "InternalError") throw error;
    return { existed: true, error: `${error.code}: ${error.message}` };
  }
}

/** The Person keyed by `user`, made when it is missing. A name that is not given leaves the stored one. */
export function getOrInitUser(
  scope: SpaceScope,
  { user, name }: { readonly user: string; readonly name: string },
): Json {
  if (user.trim() === "") throw new KipError("ConstraintViolation", "user is empty");
  const command = 'FIND(?p) WHERE { ?p {type: "Person", key: :user} }';
  const found = (): Json | undefined => (runCommand(scope, command, { user }).result as Json[])[0];
  const before = found() as { readonly name?: string } | undefined;
  if (before !== undefined && (name === "" || before.name === name)) return before as Json;
  const fields = name === "" ? "" : "SET FIELDS {name: :name}";
  runCommand(scope, `UPSERT CONCEPT ?p { MATCH {type: "Person", key: :user} ${fields} }`, {
    user,
    ...(name === "" ? {} : { name }),
  });
  return found()!;
}
