import type {
  AsOf,
  ChangesStream,
  Describe,
  DescribeTopic,
  ExportCapsule,
  History,
  Inspect,
  List,
  ListTopic,
  Meta,
  Scalar,
  Search,
} from "./ast.ts";
import { parseKind, parseWhere } from "./parse-pattern.ts";
import { parseDataObject, parseRef, parseScalar } from "./parse-value.ts";
import type { TokenStream } from "./token-stream.ts";

type Takes = "nothing" | "value" | "optional";

/** In this order: a longer topic stands before a shorter one that it begins with. */
const DESCRIBE_TOPICS: readonly (readonly [DescribeTopic, Takes])[] = [
  ["PRIMER", "nothing"],
  ["PROTOCOL", "nothing"],
  ["CAPABILITIES", "nothing"],
  ["SPACE", "optional"],
  ["SCHEMA ENVIRONMENT", "nothing"],
  ["SNAPSHOT", "nothing"],
  ["TYPE", "value"],
  ["PREDICATE", "value"],
  ["FACET", "value"],
  ["STRUCTURAL FIELD", "value"],
  ["PACKAGE", "value"],
  ["COMPATIBILITY", "nothing"],
  ["ERROR", "value"],
  ["CAPSULE", "value"],
  ["EPISTEMIC POLICY", "optional"],
  ["TRUST", "optional"],
  ["ACCESS", "nothing"],
  ["TRANSACTION BY IDEMPOTENCY KEY", "value"],
  ["TRANSACTION", "value"],
];
const LIST_TOPICS: readonly ListTopic[] = [
  "SPACES",
  "TYPES",
  "PREDICATES",
  "FACETS",
  "STRUCTURAL FIELDS",
  "EPISTEMIC POLICIES",
  "SCHEMA PACKAGES",
  "DEPENDENTS",
];
const INSPECT_TOPICS: Readonly<Record<Inspect["verb"], readonly Inspect["topic"][]>> = {
  VERIFY: ["CAPSULE", "SCHEMA PACKAGE", "RECEIPT"],
  VALIDATE: ["KQL", "KML", "CAPSULE", "SCHEMA PACKAGE", "IMPORT PLAN"],
  PREVIEW: ["KML", "IMPORT CAPSULE"],
};

const acceptTopic = (stream: TokenStream, topic: string): boolean => stream.acceptWords(...topic.split(" "));
const accept = (stream: TokenStream, ...words: string[]): Scalar | undefined =>
  stream.acceptWords(...words) ? parseScalar(stream) : undefined;
const atValue = (stream: TokenStream): boolean => {
  const { kind } = stream.peek();
  return kind === "string" || kind === "parameter" || kind === "number";
};

function acceptAsOf(stream: TokenStream, topic: DescribeTopic): AsOf | undefined {
  if (topic !== "SNAPSHOT" && topic !== "SCHEMA ENVIRONMENT") return undefined;
  if (stream.acceptWords("AS", "OF", "SEQ")) return { by: "SEQ", value: parseScalar(stream) };
  if (topic === "SNAPSHOT" && stream.acceptWords("AT", "TIME")) return { by: "TIME", value: parseScalar(stream) };
  return undefined;
}

function parseDescribe(stream: TokenStream): Describe {
  stream.expectWords("DESCRIBE");
  const found = DESCRIBE_TOPICS.find(([topic]) => acceptTopic(stream, topic));
  if (found === undefined) throw stream.unexpected(DESCRIBE_TOPICS.map(([topic]) => topic));
  const [topic, takes] = found;
  let value: Scalar | undefined;
  let to: Scalar | undefined;
  if (topic === "PRIMER") value = accept(stream, "MODE");
  else if (topic === "COMPATIBILITY") {
    stream.expectWords("FROM");
    value = parseScalar(stream);
    stream.expectWords("TO");
    to = parseScalar(stream);
  } else if (takes === "value" || (takes === "optional" && atValue(stream))) value = parseScalar(stream);
  const options = topic === "ACCESS" && stream.acceptWords("WITH") ? parseDataObject(stream) : undefined;
  return { k: "describe", topic, value, to, asOf: acceptAsOf(stream, topic), options };
}

function parseList(stream: TokenStream): List {
  stream.expectWords("LIST");
  const topic = LIST_TOPICS.find((name) => acceptTopic(stream, name));
  if (topic === undefined) throw stream.unexpected(LIST_TOPICS);
  const value =
    topic === "DEPENDENTS" ? parseScalar(stream) : topic === "SCHEMA PACKAGES" ? accept(stream, "STATUS") : undefined;
  const depth = topic === "DEPENDENTS" ? accept(stream, "DEPTH") : undefined;
  return { k: "list", topic, value, depth, limit: accept(stream, "LIMIT"), cursor: accept(stream, "CURSOR") };
}

function parseSearch(stream: TokenStream): Search {
  stream.expectWords("SEARCH");
  return {
    k: "search_command",
    kind: parseKind(stream),
    text: parseScalar(stream),
    type: accept(stream, "WITH", "TYPE"),
    predicate: accept(stream, "WITH", "PREDICATE"),
    mode: accept(stream, "MODE"),
    threshold: accept(stream, "THRESHOLD"),
    asOfSeq: accept(stream, "AS", "OF", "SEQ"),
    limit: accept(stream, "LIMIT"),
    cursor: accept(stream, "CURSOR"),
  };
}

function parseHistory(stream: TokenStream): History {
  stream.expectWords("HISTORY");
  let element: Scalar | undefined;
  if (stream.acceptWords("ELEMENT")) element = parseScalar(stream);
  else if (!stream.acceptWords("SPACE")) throw stream.unexpected(["ELEMENT", "SPACE"]);
  return {
    k: "history",
    element,
    from: accept(stream, "FROM", "SEQ"),
    to: accept(stream, "TO", "SEQ"),
    limit: accept(stream, "LIMIT"),
    cursor: accept(stream, "CURSOR"),
  };
}

function parseChanges(stream: TokenStream): ChangesStream {
  stream.expectWords("CHANGES");
  if (stream.isWord("SINCE") && stream.isWord("SEQ", 1)) {
    const hint = 'Write CHANGES AFTER SEQ n for a sequence number, or CHANGES SINCE "changes-n" for a cursor.';
    throw stream.error("CHANGES SINCE takes the cursor of an earlier CHANGES, not a sequence number", hint);
  }
  const since = accept(stream, "SINCE");
  const afterSeq = since === undefined ? accept(stream, "AFTER", "SEQ") : undefined;
  if (since === undefined && afterSeq === undefined) throw stream.unexpected(["SINCE", "AFTER SEQ"]);
  return { k: "changes", since, afterSeq, limit: accept(stream, "LIMIT") };
}

function parseInspect(stream: TokenStream, verb: Inspect["verb"]): Inspect {
  stream.expectWords(verb);
  const topic = INSPECT_TOPICS[verb].find((name) => acceptTopic(stream, name));
  if (topic === undefined) throw stream.unexpected(INSPECT_TOPICS[verb]);
  const value = parseScalar(stream);
  let into: Scalar | undefined;
  if (topic === "IMPORT CAPSULE") {
    stream.expectWords("INTO");
    into = parseScalar(stream);
  }
  const options = verb === "VALIDATE" && stream.acceptWords("WITH") ? parseDataObject(stream) : undefined;
  return { k: "inspect", verb, topic, value, into, options };
}

function parseExport(stream: TokenStream): ExportCapsule {
  stream.expectWords("EXPORT", "CAPSULE");
  const target = parseRef(stream);
  stream.expectWords("WHERE");
  const where = parseWhere(stream, "mutation");
  const options = stream.acceptWords("WITH") ? parseDataObject(stream) : undefined;
  return { k: "export", target, where, options, asOfSeq: accept(stream, "AS", "OF", "SEQ") };
}

export const META_WORDS = [
  "DESCRIBE",
  "LIST",
  "SEARCH",
  "HISTORY",
  "CHANGES",
  "VERIFY",
  "VALIDATE",
  "PREVIEW",
  "EXPORT",
];

export function acceptMeta(stream: TokenStream): Meta | undefined {
  if (stream.isWord("DESCRIBE")) return parseDescribe(stream);
  if (stream.isWord("LIST")) return parseList(stream);
  if (stream.isWord("SEARCH")) return parseSearch(stream);
  if (stream.isWord("HISTORY")) return parseHistory(stream);
  if (stream.isWord("CHANGES")) return parseChanges(stream);
  if (stream.isWord("EXPORT")) return parseExport(stream);
  const verb = (["VERIFY", "VALIDATE", "PREVIEW"] as const).find((word) => stream.isWord(word));
  return verb === undefined ? undefined : parseInspect(stream, verb);
}
