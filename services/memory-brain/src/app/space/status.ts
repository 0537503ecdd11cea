/** What a Space says of itself. */
import type { Json, JsonObject } from "@mainspring/kip";
import { DRAFT_PACKAGE_REF } from "../../domain/schema-package.ts";
import { COLLECTIONS } from "../../ports/space-records.ts";
import { NO_USAGE } from "./conversations.ts";
import type { SpaceScope } from "./scope.ts";

function counts({ engine, records }: SpaceScope): JsonObject {
  return {
    id: engine.spaceId,
    concepts: records.countElements(0),
    propositions: records.countElements(1),
    conversations: records.countConversations("formation"),
    formation_processed_id: records.processedConversation("formation"),
    maintenance_processed_id: records.processedConversation("maintenance"),
    maintenance_at: { daydream: 0, full: 0, quick: 0, start_at: 0 },
  };
}

export function formationStatus(scope: SpaceScope): JsonObject {
  return { ...counts(scope), formation_processing: false, maintenance_processing: false };
}

/** The part of SpaceInfo that is in the Space, and where it stands. */
export function spaceStatus(scope: SpaceScope): { readonly seq: number; readonly info: JsonObject } {
  const { records, engine } = scope;
  const usage = Object.fromEntries(COLLECTIONS.map((name) => [`${name}_usage`, { ...NO_USAGE }]));
  return { seq: engine.store.currentSeq(), info: { ...counts(scope), db_stats: { ...records.stats() }, ...usage } };
}

export function listDrafts({ engine }: SpaceScope): JsonObject {
  const { drafts, version } = engine.environment;
  const symbols = drafts.map(({ definition, promotedTo }): Json => ({
    kind: definition.kind,
    name: definition.name,
    ref: definition.ref,
    definition: definition as unknown as Json,
    ...(promotedTo === undefined ? {} : { promoted_to: promotedTo }),
  }));
  return { package_ref: DRAFT_PACKAGE_REF, schema_environment_version: version, symbols };
}
