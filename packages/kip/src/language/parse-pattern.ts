/** The items of a WHERE block. Which of them a statement may use is decided by `scope`. */
import { NESTING_DEPTH_MAX } from "../limits.ts";
import type {
  AnyTuple,
  BeliefPattern,
  BlockItem,
  ElementKind,
  Item,
  PatternObject,
  PatternValue,
  Predicate,
  SearchPattern,
  SlotPattern,
  StructuralPattern,
  Symbol,
  Term,
  Variable,
} from "./ast.ts";
import { acceptScalar, parseExpression, parseObject, parseScalar, parseSymbol, parseVariable } from "./parse-value.ts";
import type { TokenStream } from "./token-stream.ts";

/** `query`: all patterns. `mutation`: no BELIEF, no SEARCH, no raw paths. */
export type PatternScope = "query" | "mutation";

export const KINDS: Readonly<Record<string, ElementKind>> = {
  CONCEPT: "concept",
  PROPOSITION: "proposition",
  ASSERTION: "assertion",
  EVIDENCE: "evidence",
  ACTIVITY: "activity",
};

export function parseKind(stream: TokenStream): ElementKind {
  const token = stream.peek();
  const kind = token.kind === "word" ? KINDS[token.text.toUpperCase()] : undefined;
  if (kind === undefined) throw stream.unexpected(Object.keys(KINDS));
  stream.next();
  return kind;
}

const parsePatternObject = (stream: TokenStream): PatternObject => parseObject(stream, () => parsePatternValue(stream));

function parsePatternValue(stream: TokenStream): PatternValue {
  const scalar = acceptScalar(stream);
  if (scalar !== undefined) return scalar;
  if (stream.peek().kind === "variable") return parseVariable(stream);
  if (stream.isPunctuation("[")) {
    return { k: "array", items: stream.list("[", "]", () => parsePatternValue(stream), true) };
  }
  if (stream.isPunctuation("{")) return parsePatternObject(stream);
  if (stream.isPunctuation("(")) return parseTuple(stream, "mutation");
  const token = stream.peek();
  if (token.kind === "word") {
    throw stream.error(`expected a value, found "${token.text}"`, `Write it as a string: "${token.text}".`);
  }
  throw stream.unexpected(["a value", "a ?variable"]);
}

function parseTerm(stream: TokenStream, scope: PatternScope): Term {
  const scalar = acceptScalar(stream);
  if (scalar !== undefined) return scalar;
  if (stream.peek().kind === "variable") return parseVariable(stream);
  if (stream.isPunctuation("{")) return parsePatternObject(stream);
  if (stream.isPunctuation("(")) return parseTuple(stream, scope);
  throw stream.unexpected(["a ?variable", "a :parameter", "a literal", '"{"', '"("']);
}

function parseHops(stream: TokenStream): number {
  const token = stream.peek();
  if (token.kind !== "number" || !/^[0-9]+$/.test(token.text)) throw stream.unexpected(["a number of hops"]);
  const hops = token.value as number;
  if (hops > NESTING_DEPTH_MAX) throw stream.error(`a path has at most ${NESTING_DEPTH_MAX} hops`);
  stream.next();
  return hops;
}

function parseQuantifier(stream: TokenStream): { readonly min: number; readonly max: number | undefined } {
  return stream.nested(() => {
    stream.expectPunctuation("{");
    const min = parseHops(stream);
    let max: number | undefined = min;
    if (stream.acceptPunctuation(",")) max = stream.isPunctuation("}") ? undefined : parseHops(stream);
    if (max !== undefined && max < min) throw stream.error("the upper bound of a path lies below its lower bound");
    stream.expectPunctuation("}");
    return { min, max };
  });
}

function parsePredicate(stream: TokenStream, scope: PatternScope): Predicate {
  if (stream.peek().kind === "variable") return parseVariable(stream);
  const first = parseSymbol(stream, "a predicate");
  if (!stream.isPunctuation("|") && !stream.isPunctuation("{")) return first;
  if (scope === "mutation") throw stream.error("a raw path is allowed in FIND only");
  const alternatives: Symbol[] = [first];
  while (stream.acceptPunctuation("|")) alternatives.push(parseSymbol(stream, "a predicate"));
  const { min, max } = stream.isPunctuation("{") ? parseQuantifier(stream) : { min: 1, max: 1 };
  return { k: "raw_path", alternatives, min, max };
}

export function parseTuple(stream: TokenStream, scope: PatternScope): AnyTuple {
  return stream.nested(() => {
    const at = stream.expectPunctuation("(").start;
    if (stream.isWord("ID")) {
      stream.next();
      stream.expectColon();
      const id = parseSymbol(stream, "an element id");
      stream.expectPunctuation(")");
      return { k: "tuple_id", id, at };
    }
    const subject = parseTerm(stream, scope);
    stream.expectPunctuation(",");
    const predicate = parsePredicate(stream, scope);
    stream.expectPunctuation(",");
    const object = parseTerm(stream, scope);
    stream.expectPunctuation(")");
    return { k: "tuple", subject, predicate, object, at };
  });
}

function parseStructural(stream: TokenStream, variable: Variable | undefined, scope: PatternScope): StructuralPattern {
  const at = stream.peek().start;
  stream.expectWords("STRUCTURAL");
  return stream.nested(() => {
    stream.expectPunctuation("(");
    const source = parseTerm(stream, scope);
    stream.expectPunctuation(",");
    const field = parseSymbol(stream, "a structural field");
    stream.expectPunctuation(",");
    const target = parseTerm(stream, scope);
    stream.expectPunctuation(")");
    return { k: "structural", variable, source, field, target, at };
  });
}

function parseBelief(stream: TokenStream, variable: Variable): BeliefPattern | SlotPattern {
  const at = stream.peek().start;
  stream.expectWords("BELIEF");
  if (stream.acceptWords("SLOT")) {
    return stream.nested(() => {
      stream.expectPunctuation("(");
      const subject = parseTerm(stream, "mutation");
      stream.expectPunctuation(",");
      const predicate = parseSymbol(stream, "a predicate");
      stream.expectPunctuation(")");
      return { k: "slot", variable, subject, predicate, at };
    });
  }
  if (stream.isPunctuation("(") && stream.peek(1).kind === "variable" && stream.isPunctuation(")", 2)) {
    stream.next();
    const target = parseVariable(stream);
    stream.next();
    return { k: "belief", variable, target };
  }
  const target = parseTuple(stream, "mutation");
  if (target.k === "tuple" && target.predicate.k === "variable") {
    throw stream.error("the predicate of a BELIEF is exact", "Name the predicate as a string.");
  }
  return { k: "belief", variable, target };
}

function parseSearch(stream: TokenStream, variable: Variable): SearchPattern {
  stream.expectWords("SEARCH");
  const kind = parseKind(stream);
  const text = parseSymbol(stream, "the text to search");
  const type = stream.acceptWords("WITH", "TYPE") ? parseSymbol(stream, "a type") : undefined;
  const predicate = stream.acceptWords("WITH", "PREDICATE") ? parseSymbol(stream, "a predicate") : undefined;
  const mode = stream.acceptWords("MODE") ? parseSymbol(stream, "a search mode") : undefined;
  const threshold = stream.acceptWords("THRESHOLD") ? parseScalar(stream) : undefined;
  if (!stream.acceptWords("LIMIT")) {
    throw stream.unexpected([
      "LIMIT",
      ...(mode === undefined ? ["MODE"] : []),
      ...(threshold === undefined ? ["THRESHOLD"] : []),
    ]);
  }
  return { k: "search", variable, kind, text, type, predicate, mode, threshold, limit: parseScalar(stream) };
}

function parseVariableItem(stream: TokenStream, scope: PatternScope, inNot: boolean): Item {
  const variable = parseVariable(stream);
  if (stream.isPunctuation("{")) return { k: "concept", variable, match: parsePatternObject(stream) };
  if (stream.isPunctuation("(")) return { k: "proposition", variable, tuple: parseTuple(stream, scope) };
  if (stream.isWord("CONCEPT")) {
    stream.next();
    return { k: "concept", variable, match: parsePatternObject(stream) };
  }
  if (stream.acceptWords("PROPOSITION")) return { k: "proposition", variable, tuple: parseTuple(stream, scope) };
  for (const kind of ["assertion", "evidence", "activity"] as const) {
    if (stream.acceptWords(kind.toUpperCase()))
      return { k: "record", kind, variable, match: parsePatternObject(stream) };
  }
  if (stream.isWord("STRUCTURAL")) return parseStructural(stream, variable, scope);
  if (stream.isWord("BELIEF")) {
    if (scope === "mutation") throw stream.error("BELIEF is allowed in FIND only", "Select by raw patterns.");
    return parseBelief(stream, variable);
  }
  if (stream.isWord("SEARCH")) {
    if (scope === "mutation")
      throw stream.error("SEARCH is not allowed where a mutation selects", "Search first, then name ids.");
    if (inNot) throw stream.error("SEARCH is not allowed inside NOT");
    return parseSearch(stream, variable);
  }
  const words = ["CONCEPT", "PROPOSITION", "ASSERTION", "EVIDENCE", "ACTIVITY", "STRUCTURAL", "BELIEF", "SEARCH"];
  throw stream.unexpected([...words, '"{"', '"("']);
}

function parseItem(stream: TokenStream, scope: PatternScope, inNot: boolean): Item {
  const at = stream.peek().start;
  if (stream.peek().kind === "variable") return parseVariableItem(stream, scope, inNot);
  if (stream.isPunctuation("(")) return { k: "proposition", variable: undefined, tuple: parseTuple(stream, scope) };
  if (stream.acceptWords("PROPOSITION"))
    return { k: "proposition", variable: undefined, tuple: parseTuple(stream, scope) };
  if (stream.isWord("STRUCTURAL")) return parseStructural(stream, undefined, scope);
  if (stream.acceptWords("FILTER")) {
    return stream.nested((): Item => {
      stream.expectPunctuation("(");
      const expression = parseExpression(stream);
      stream.expectPunctuation(")");
      return { k: "filter", expression };
    });
  }
  for (const k of ["not", "optional", "union"] as const) {
    if (stream.acceptWords(k.toUpperCase())) {
      return { k, items: parseWhere(stream, scope, inNot || k === "not"), at } satisfies BlockItem;
    }
  }
  const words = ["FILTER", "NOT", "OPTIONAL", "UNION", "PROPOSITION", "STRUCTURAL"];
  throw stream.unexpected(["a ?variable", '"("', ...words, '"}"']);
}

export function parseWhere(stream: TokenStream, scope: PatternScope, inNot = false): Item[] {
  return stream.block(() => parseItem(stream, scope, inNot));
}
