import type {
  Assert,
  Changes,
  CreateConcept,
  CreateRecord,
  DataObject,
  Define,
  Ensure,
  Guard,
  Item,
  Merge,
  Mutate,
  Mutation,
  PatternObject,
  Purge,
  PurgePayload,
  Ref,
  Scalar,
  SetRetention,
  StructuralLink,
  Symbol,
  Transition,
  Update,
  Upsert,
} from "./ast.ts";
import { parseTuple, parseWhere } from "./parse-pattern.ts";
import {
  parseDataObject,
  parseKey,
  parseObject,
  parseRef,
  parseScalar,
  parseSymbol,
  parseVariable,
} from "./parse-value.ts";
import type { TokenStream } from "./token-stream.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
type Draft = Mutable<Changes>;

const noChanges = (): Draft => ({
  fields: undefined,
  attributes: undefined,
  facets: [],
  structural: undefined,
  unsetAttributes: undefined,
  unsetFacets: [],
  unsetStructural: undefined,
});

function parseLinks(stream: TokenStream, withOptions: boolean): StructuralLink[] {
  return stream.block(() =>
    stream.nested((): StructuralLink => {
      stream.expectPunctuation("(");
      const field = parseSymbol(stream, "a structural field");
      stream.expectPunctuation(",");
      const target = parseRef(stream);
      stream.expectPunctuation(")");
      const options = withOptions && stream.isPunctuation("{") ? parseDataObject(stream) : undefined;
      return { field, target, options };
    }),
  );
}

function parseNames(stream: TokenStream): string[] {
  const names = stream.list("{", "}", () => parseKey(stream), true);
  if (new Set(names).size !== names.length) throw stream.error("a field is named twice");
  return names;
}

const symbolKey = (symbol: Symbol): string =>
  symbol.k === "literal" ? `"${String(symbol.value)}"` : symbol.k === "parameter" ? `:${symbol.name}` : "";

function once<K extends keyof Draft>(
  stream: TokenStream,
  draft: Draft,
  key: K,
  clause: string,
  read: () => Draft[K],
): void {
  if (draft[key] !== undefined) throw stream.error(`${clause} is given twice`);
  draft[key] = read();
}

function onceFor(
  stream: TokenStream,
  list: readonly { readonly facet: Symbol }[],
  facet: Symbol,
  clause: string,
): Symbol {
  if (list.some((entry) => symbolKey(entry.facet) === symbolKey(facet)))
    throw stream.error(`${clause} ${symbolKey(facet)} is given twice`);
  return facet;
}

/** One SET or UNSET clause, added to the draft; false when another word stands here. */
function acceptChange(stream: TokenStream, draft: Draft, unset: boolean): boolean {
  if (stream.acceptWords("SET", "FIELDS")) once(stream, draft, "fields", "SET FIELDS", () => parseDataObject(stream));
  else if (stream.acceptWords("SET", "ATTRIBUTES")) {
    once(stream, draft, "attributes", "SET ATTRIBUTES", () => parseDataObject(stream));
  } else if (stream.acceptWords("SET", "FACET")) {
    const facet = onceFor(stream, draft.facets, parseSymbol(stream, "a facet"), "SET FACET");
    draft.facets.push({ facet, values: parseDataObject(stream) });
  } else if (stream.acceptWords("SET", "STRUCTURAL")) {
    once(stream, draft, "structural", "SET STRUCTURAL", () => parseLinks(stream, true));
  } else if (!unset) return false;
  else if (stream.acceptWords("UNSET", "ATTRIBUTES")) {
    once(stream, draft, "unsetAttributes", "UNSET ATTRIBUTES", () => parseNames(stream));
  } else if (stream.acceptWords("UNSET", "FACET")) {
    const facet = onceFor(stream, draft.unsetFacets, parseSymbol(stream, "a facet"), "UNSET FACET");
    draft.unsetFacets.push({ facet, names: parseNames(stream) });
  } else if (stream.acceptWords("UNSET", "STRUCTURAL")) {
    once(stream, draft, "unsetStructural", "UNSET STRUCTURAL", () => parseLinks(stream, false));
  } else return false;
  return true;
}

const SET_CLAUSES = ["SET FIELDS", "SET ATTRIBUTES", "SET FACET", "SET STRUCTURAL"];
const UNSET_CLAUSES = ["UNSET ATTRIBUTES", "UNSET FACET", "UNSET STRUCTURAL"];

function parseGuards(stream: TokenStream): Guard[] {
  const guards: Guard[] = [];
  const planes = new Set<string>();
  while (stream.isWord("EXPECT")) {
    stream.expectWords("EXPECT", "VERSION");
    const version = parseScalar(stream);
    let plane: Guard["plane"] = "ELEMENT";
    let facet: Symbol | undefined;
    if (stream.acceptWords("OF")) {
      const found = (["ATTRIBUTES", "STRUCTURAL", "RETENTION", "FACET"] as const).find((name) =>
        stream.acceptWords(name),
      );
      if (found === undefined) throw stream.unexpected(["ATTRIBUTES", "STRUCTURAL", "RETENTION", "FACET"]);
      plane = found;
      if (found === "FACET") facet = parseSymbol(stream, "a facet");
    }
    const name = facet === undefined ? plane : `${plane} ${symbolKey(facet)}`;
    if (planes.has(name)) throw stream.error(`the guard of ${name} is given twice`);
    planes.add(name);
    guards.push({ version, plane, facet });
  }
  return guards;
}

const acceptWhere = (stream: TokenStream): Item[] | undefined =>
  stream.acceptWords("WHERE") ? parseWhere(stream, "mutation") : undefined;
const acceptLimit = (stream: TokenStream): Scalar | undefined =>
  stream.acceptWords("LIMIT") ? parseScalar(stream) : undefined;

interface CreateDraft {
  type: Symbol | undefined;
  clientKey: Scalar | undefined;
  name: Scalar | undefined;
}

function acceptHeader(stream: TokenStream, draft: CreateDraft, concept: boolean): boolean {
  const set = (key: keyof CreateDraft, clause: string, read: () => Scalar): void => {
    if (draft[key] !== undefined) throw stream.error(`${clause} is given twice`);
    draft[key] = read();
  };
  if (concept && stream.acceptWords("TYPE")) set("type", "TYPE", () => parseSymbol(stream, "a type"));
  else if (stream.acceptWords("CLIENT", "KEY"))
    set("clientKey", "CLIENT KEY", () => parseSymbol(stream, "a client key"));
  else if (concept && stream.acceptWords("NAME")) set("name", "NAME", () => parseSymbol(stream, "a name"));
  else return false;
  return true;
}

function parseCreate(stream: TokenStream): CreateConcept | CreateRecord {
  stream.expectWords("CREATE");
  const kind = (["CONCEPT", "EVIDENCE", "ASSERTION", "ACTIVITY"] as const).find((word) => stream.acceptWords(word));
  if (kind === undefined) throw stream.unexpected(["CONCEPT", "EVIDENCE", "ASSERTION", "ACTIVITY"]);
  const handle = parseVariable(stream);
  const header: CreateDraft = { type: undefined, clientKey: undefined, name: undefined };
  const changes = noChanges();
  const concept = kind === "CONCEPT";
  stream.block(() => {
    if (!concept && stream.isWord("ATTRIBUTES", 1))
      throw stream.error("only a Concept has attributes", "Use SET FIELDS or SET FACET.");
    if (acceptHeader(stream, header, concept) || acceptChange(stream, changes, false)) return;
    const heads = concept ? ["TYPE", "CLIENT KEY", "NAME"] : ["CLIENT KEY"];
    throw stream.unexpected([...heads, ...SET_CLAUSES, '"}"']);
  });
  if (concept) return { k: "create_concept", handle, ...header, changes };
  const record = kind.toLowerCase() as CreateRecord["kind"];
  return { k: "create_record", kind: record, handle, clientKey: header.clientKey, changes };
}

function parsePatternScalarObject(stream: TokenStream): PatternObject {
  return parseObject(stream, () => {
    const value = parseScalar(stream);
    if (value.k === "array" || value.k === "object")
      throw stream.error("MATCH compares type, key or id with single values");
    return value;
  });
}

function parseUpsert(stream: TokenStream): Upsert {
  stream.expectWords("UPSERT", "CONCEPT");
  const handle = parseVariable(stream);
  const changes = noChanges();
  let match: PatternObject | undefined;
  stream.block(() => {
    if (stream.acceptWords("MATCH")) {
      if (match !== undefined) throw stream.error("MATCH is given twice");
      match = parsePatternScalarObject(stream);
    } else if (!acceptChange(stream, changes, true))
      throw stream.unexpected(["MATCH", ...SET_CLAUSES, ...UNSET_CLAUSES, '"}"']);
  });
  if (match === undefined)
    throw stream.error("UPSERT CONCEPT needs a MATCH clause", "MATCH {type: …, key: …} or MATCH {id: …}.");
  return { k: "upsert", handle, match, changes, guards: parseGuards(stream) };
}

function parseEnsure(stream: TokenStream): Ensure {
  stream.expectWords("ENSURE", "PROPOSITION");
  const handle = stream.peek().kind === "variable" ? parseVariable(stream) : undefined;
  const tuple = parseTuple(stream, "mutation");
  const expectNew = stream.acceptWords("EXPECT", "VERSION") ? parseScalar(stream) : undefined;
  return { k: "ensure", handle, tuple, expectNew };
}

const ASSERT_MEMBERS = ["by", "mode", "stance", "confidence", "at", "valid", "context", "evidence", "key"];

function parseAssert(stream: TokenStream): Assert {
  stream.expectWords("ASSERT");
  const handle = stream.peek().kind === "variable" ? parseVariable(stream) : undefined;
  const tuple = parseTuple(stream, "mutation");
  const body: DataObject = parseDataObject(stream);
  const unknown = body.members.find((member) => !ASSERT_MEMBERS.includes(member.key));
  if (unknown !== undefined) {
    throw stream.error(
      `ASSERT has no member ${JSON.stringify(unknown.key)}`,
      `Its members are ${ASSERT_MEMBERS.join(", ")}.`,
    );
  }
  const missing = ["by", "mode"].filter((needed) => !body.members.some((member) => member.key === needed));
  if (missing.length > 0) {
    const hint = 'by: whose claim it is; mode: how they came to it, like "stated" or "observed".';
    throw stream.error(`ASSERT needs ${missing.join(" and ")}`, hint);
  }
  const superseding: Ref | undefined = stream.acceptWords("SUPERSEDING") ? parseRef(stream) : undefined;
  return { k: "assert", handle, tuple, body, superseding };
}

function parseUpdate(stream: TokenStream): Update {
  const at = stream.peek().start;
  stream.expectWords("UPDATE");
  const target = parseRef(stream);
  const changes = noChanges();
  let actions = 0;
  while (acceptChange(stream, changes, true)) actions++;
  if (actions === 0) throw stream.unexpected([...SET_CLAUSES, ...UNSET_CLAUSES]);
  return {
    k: "update",
    target,
    changes,
    where: acceptWhere(stream),
    limit: acceptLimit(stream),
    guards: parseGuards(stream),
    at,
  };
}

function parseTransition(stream: TokenStream): Transition {
  const at = stream.peek().start;
  stream.expectWords("TRANSITION");
  const target = parseRef(stream);
  stream.expectWords("TO");
  const to = parseSymbol(stream, "a state");
  const by = stream.acceptWords("BY") ? parseRef(stream) : undefined;
  const changes = noChanges();
  if (stream.acceptWords("SET", "FIELDS")) changes.fields = parseDataObject(stream);
  if (stream.acceptWords("SET", "STRUCTURAL")) changes.structural = parseLinks(stream, true);
  return {
    k: "transition",
    target,
    to,
    by,
    changes,
    where: acceptWhere(stream),
    limit: acceptLimit(stream),
    guards: parseGuards(stream),
    at,
  };
}

function parseRetention(stream: TokenStream): SetRetention {
  const at = stream.peek().start;
  stream.expectWords("SET", "RETENTION");
  const target = parseRef(stream);
  const body = parseDataObject(stream);
  return {
    k: "retention",
    target,
    body,
    where: acceptWhere(stream),
    limit: acceptLimit(stream),
    guards: parseGuards(stream),
    at,
  };
}

function parsePurge(stream: TokenStream): Purge | PurgePayload {
  const at = stream.peek().start;
  stream.expectWords("PURGE");
  const payload = stream.acceptWords("PAYLOAD");
  const head = {
    target: parseRef(stream),
    where: acceptWhere(stream),
    limit: acceptLimit(stream),
    guards: parseGuards(stream),
    at,
  };
  const policy =
    !payload && stream.acceptWords("REFERENCE", "POLICY") ? parseSymbol(stream, "a reference policy") : undefined;
  stream.expectWords("CONFIRM");
  const token = stream.peek();
  if (token.kind !== "string" || token.value !== "PURGE") throw stream.unexpected(['"PURGE" as a string']);
  stream.next();
  return payload ? { k: "purge_payload", ...head } : { k: "purge", ...head, policy };
}

function parseMerge(stream: TokenStream): Merge {
  const at = stream.peek().start;
  stream.expectWords("MERGE", "CONCEPT");
  const target = parseRef(stream);
  stream.expectWords("INTO");
  const into = parseRef(stream);
  const where = acceptWhere(stream);
  if (stream.isWord("LIMIT")) throw stream.error("MERGE CONCEPT takes no LIMIT", "Name both concepts.");
  return { k: "merge", target, into, where, limit: undefined, guards: parseGuards(stream), at };
}

export function parseDefine(stream: TokenStream): Define {
  stream.expectWords("DEFINE");
  const what = stream.acceptWords("PREDICATE")
    ? "predicate"
    : stream.acceptWords("CONCEPT", "TYPE")
      ? "type"
      : undefined;
  if (what === undefined) throw stream.unexpected(["PREDICATE", "CONCEPT TYPE"]);
  const token = stream.peek();
  if (token.kind !== "string") throw stream.unexpected(["the name as a string"]);
  stream.next();
  return { k: "define", what, name: token.text, body: parseDataObject(stream) };
}

export const MUTATION_WORDS = ["CREATE", "UPSERT", "ENSURE", "ASSERT", "UPDATE", "TRANSITION", "SET", "PURGE", "MERGE"];

/** Spellings of earlier drafts of the language, with what to write now. */
const FORMER: Readonly<Record<string, string>> = {
  RETRACT: 'TRANSITION ref TO "retracted"',
  SUPERSEDE: 'TRANSITION ref TO "superseded" BY ref',
  CORRECT: 'TRANSITION ref TO "corrected" BY ref',
  ARCHIVE: 'TRANSITION ref TO "archived"',
  TOMBSTONE: 'TRANSITION ref TO "tombstoned"',
  DELETE: 'TRANSITION ref TO "tombstoned", or PURGE',
};

export const formerSpelling = (word: string): string | undefined => FORMER[word.toUpperCase()];

export function parseMutation(stream: TokenStream): Mutation {
  if (stream.isWord("CREATE")) return parseCreate(stream);
  if (stream.isWord("UPSERT")) return parseUpsert(stream);
  if (stream.isWord("ENSURE")) return parseEnsure(stream);
  if (stream.isWord("ASSERT")) return parseAssert(stream);
  if (stream.isWord("UPDATE")) return parseUpdate(stream);
  if (stream.isWord("TRANSITION")) return parseTransition(stream);
  if (stream.isWord("SET")) return parseRetention(stream);
  if (stream.isWord("PURGE")) return parsePurge(stream);
  if (stream.isWord("MERGE")) return parseMerge(stream);
  if (stream.isWord("MUTATE")) throw stream.error("MUTATE does not nest");
  if (stream.isWord("DEFINE")) throw stream.error("DEFINE stands alone, outside MUTATE");
  const token = stream.peek();
  const former = token.kind === "word" ? formerSpelling(token.text) : undefined;
  if (former !== undefined) throw stream.error(`${token.text.toUpperCase()} is not a statement`, `Write ${former}.`);
  throw stream.unexpected([...MUTATION_WORDS, '"}"']);
}

export function parseMutate(stream: TokenStream): Mutate {
  stream.expectWords("MUTATE");
  const statements = stream.block(() => parseMutation(stream));
  if (statements.length === 0) throw stream.error("MUTATE holds at least one statement");
  return { k: "mutate", statements };
}
