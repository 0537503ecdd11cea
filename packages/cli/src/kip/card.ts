/** The language at a glance, for whoever asks the shell for help. */
const PAGE = "packages/kip/README.md";

/** Groups of statements: their names, and a line for each form. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "ask FIND BELIEF SEARCH": [
    'FIND(?p.name) WHERE { ?p {type: "Person"} (?p, "knows", ?q) FILTER(…) } ORDER BY ?p.name LIMIT 5',
    'FIND(?b) WHERE { ?p {type: "Person", key: "ana"} ?b BELIEF SLOT (?p, "lives_in") }',
    "  after WHERE: AS OF SEQ n, FOR TIME t, WITH EPISTEMIC {…}, ORDER BY, LIMIT, CURSOR",
    'SEARCH CONCEPT "words" LIMIT 5',
  ],
  "define DEFINE PREDICATE TYPE": [
    'DEFINE CONCEPT TYPE "Name" {description: "…", attributes: {field: "string"}}',
    'DEFINE PREDICATE "name" {description: "…", subject: "Type", object: ["Type"], functional: true}',
  ],
  "make CREATE UPSERT ENSURE CONCEPT EVIDENCE ACTIVITY MUTATE": [
    'UPSERT CONCEPT ?c { MATCH {type: "Person", key: "ana"} SET FIELDS {name: "Ana"} SET ATTRIBUTES {…} }',
    'CREATE EVIDENCE ?e { CLIENT KEY "k" SET FIELDS {evidence_class: "message", payload: "…"} }',
    'CREATE CONCEPT ?c { TYPE "Event" … }   CREATE ACTIVITY ?x { … }   ENSURE PROPOSITION (?s, "p", ?o)',
    "MUTATE { … }   several of them in one transaction; ?c names what one made",
  ],
  "claim ASSERT SUPERSEDING": [
    'ASSERT ?a (?s, "lives_in", ?o) {by: ?s, mode: "stated", valid: {from: t, until: t}, evidence: ?e}',
    '  also stance, confidence, at, context, key; then SUPERSEDING "A-1"; t is "2026-05-03T00:00:00.000Z"',
  ],
  "change UPDATE TRANSITION MERGE SET RETENTION PURGE EXPECT": [
    'UPDATE ?c SET ATTRIBUTES {…} WHERE { ?c {type: "…"} } LIMIT 5 EXPECT VERSION n',
    'TRANSITION "A-1" TO "retracted" | "superseded" BY ref | "corrected" BY ref | "archived" | "tombstoned"',
    'MERGE CONCEPT "C-2" INTO "C-1"   SET RETENTION "E-1" {retention_class: "…"}',
    'PURGE "C-1" REFERENCE POLICY "tombstone_reference" CONFIRM "PURGE"   PURGE PAYLOAD "E-1" CONFIRM "PURGE"',
  ],
  "look DESCRIBE LIST HISTORY CHANGES VALIDATE PREVIEW": [
    'DESCRIBE PRIMER   DESCRIBE TYPE "Person"   DESCRIBE ERROR "PurgeDenied"   DESCRIBE CAPABILITIES',
    'LIST TYPES   LIST PREDICATES LIMIT 20   LIST DEPENDENTS "E-1" DEPTH 2',
    'HISTORY ELEMENT "A-1"   HISTORY SPACE FROM SEQ 1   CHANGES AFTER SEQ 12 LIMIT 5',
    'VALIDATE KQL "FIND…"   PREVIEW KML "ASSERT…"',
  ],
};

/** The card, or of it the groups that know the topic; null where none does. */
export function cardOf(topic: string): string | null {
  const asked = topic.trim().replace(/;$/, "").toUpperCase().split(/\s+/)[0] ?? "";
  const found = Object.entries(GROUPS).filter(([names]) =>
    names
      .toUpperCase()
      .split(" ")
      .some((name) => name === asked),
  );
  if (asked !== "" && found.length === 0) return null;
  const shown = asked === "" ? Object.entries(GROUPS) : found;
  const parts = shown.map(([names, lines]) => `${names.split(" ")[0]}\n${lines.map((line) => `  ${line}\n`).join("")}`);
  return `${parts.join("")}A course, and all forms: ${PAGE}\n`;
}

/** Topics of the card. */
export const cardTopics: readonly string[] = Object.keys(GROUPS).map((names) => names.split(" ")[0]!);

/** Whether somebody asks for help in place of a command, and about what. */
export function helpTopic(line: string): string | null {
  return /^\s*help\b\s*([\w ]*);?\s*$/i.exec(line)?.[1]?.trim() ?? null;
}
