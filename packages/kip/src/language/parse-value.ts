/** Names, values, objects and expressions: what all three languages share. */
import type {
  Call,
  Data,
  DataObject,
  Expression,
  Literal,
  Member,
  ObjectNode,
  Parameter,
  Path,
  Ref,
  Scalar,
  Symbol,
  Variable,
} from "./ast.ts";
import type { TokenStream } from "./token-stream.ts";

export function parseVariable(stream: TokenStream): Variable {
  const token = stream.peek();
  if (token.kind !== "variable") throw stream.unexpected(["a ?variable"]);
  stream.next();
  return { k: "variable", name: token.text, at: token.start };
}

/** A literal or parameter when one stands here. */
export function acceptScalar(stream: TokenStream): Literal | Parameter | undefined {
  const token = stream.peek();
  if (token.kind === "parameter") {
    stream.next();
    return { k: "parameter", name: token.text, at: token.start };
  }
  if (token.kind === "string" || token.kind === "number") {
    stream.next();
    return { k: "literal", value: token.value! };
  }
  if (token.kind !== "word") return undefined;
  const value =
    token.text === "true" ? true : token.text === "false" ? false : token.text === "null" ? null : undefined;
  if (value === undefined) {
    if (/^(true|false|null)$/i.test(token.text)) {
      throw stream.error(`${token.text.toLowerCase()} is written in lower case`, `Write ${token.text.toLowerCase()}.`);
    }
    return undefined;
  }
  stream.next();
  return { k: "literal", value };
}

/** `V` of the grammar: a literal, parameter, array or object. */
export function parseScalar(stream: TokenStream): Scalar {
  const scalar = acceptScalar(stream);
  if (scalar !== undefined) return scalar;
  const token = stream.peek();
  if (stream.isPunctuation("[") || stream.isPunctuation("{")) {
    const data = parseData(stream);
    if (data.k === "array" || data.k === "object") return data;
  }
  if (token.kind === "word") {
    throw stream.error(`expected a value, found "${token.text}"`, `Write it as a string: "${token.text}".`);
  }
  throw stream.unexpected(["a value", "a :parameter"]);
}

/** `S` of the grammar: a quoted string or a parameter. */
export function parseSymbol(stream: TokenStream, what: string): Symbol {
  const token = stream.peek();
  if (token.kind === "string" || token.kind === "parameter") return acceptScalar(stream)!;
  if (token.kind === "word") {
    throw stream.error(`expected ${what}, found "${token.text}"`, `Names are quoted: "${token.text}".`);
  }
  throw stream.unexpected([`${what} as a string`, "a :parameter"]);
}

export function parseRef(stream: TokenStream): Ref {
  const token = stream.peek();
  if (token.kind === "variable") return parseVariable(stream);
  if (token.kind === "string" || token.kind === "parameter") return acceptScalar(stream)!;
  throw stream.unexpected(["a ?variable", "a :parameter", "an element id as a string"]);
}

export function parseKey(stream: TokenStream): string {
  const token = stream.peek();
  if (token.kind !== "word" && token.kind !== "string") throw stream.unexpected(["a member name", '"}"']);
  stream.next();
  return token.text;
}

/** `{ key: value, … }` with values read by `value`; a repeated key is refused. */
export function parseObject<T>(stream: TokenStream, value: () => T): ObjectNode<T> {
  const at = stream.peek().start;
  const seen = new Set<string>();
  const members = stream.list(
    "{",
    "}",
    (): Member<T> => {
      const key = parseKey(stream);
      if (seen.has(key)) throw stream.error(`the member ${JSON.stringify(key)} is given twice`);
      seen.add(key);
      stream.expectColon();
      return { key, value: value() };
    },
    true,
  );
  return { k: "object", members, at };
}

export const parseDataObject = (stream: TokenStream): DataObject => parseObject(stream, () => parseData(stream));

/** `?x`, or `?x.field["key"]…`. */
export function parsePath(stream: TokenStream): Variable | Path {
  const variable = parseVariable(stream);
  const steps: string[] = [];
  for (;;) {
    if (stream.acceptPunctuation(".")) {
      const token = stream.peek();
      if (token.kind !== "word") throw stream.unexpected(["a field name"]);
      stream.next();
      steps.push(token.text);
    } else if (stream.acceptPunctuation("[")) {
      const token = stream.peek();
      if (token.kind !== "string") throw stream.unexpected(["a quoted key"]);
      stream.next();
      stream.expectPunctuation("]");
      steps.push(token.text);
    } else break;
  }
  return steps.length === 0 ? variable : { k: "path", name: variable.name, steps, at: variable.at };
}

function parseCall(stream: TokenStream): Call {
  const name = stream.next();
  const args = stream.list("(", ")", () => parseExpression(stream), true);
  return { k: "call", name: name.text.toUpperCase(), args, at: name.start };
}

/** A value that may be assigned. */
export function parseData(stream: TokenStream): Data {
  const scalar = acceptScalar(stream);
  if (scalar !== undefined) return scalar;
  const token = stream.peek();
  if (token.kind === "variable") return parsePath(stream);
  if (token.kind === "word") {
    if (stream.isPunctuation("(", 1)) return parseCall(stream);
    throw stream.error(`expected a value, found "${token.text}"`, `Write it as a string: "${token.text}".`);
  }
  if (stream.isPunctuation("[")) {
    return { k: "array", items: stream.list("[", "]", () => parseData(stream), true) };
  }
  if (stream.isPunctuation("{")) return parseDataObject(stream);
  throw stream.unexpected(["a value"]);
}

function parsePrimary(stream: TokenStream): Expression {
  if (!stream.isPunctuation("(")) return parseData(stream);
  return stream.nested(() => {
    stream.next();
    const inner = parseExpression(stream);
    stream.expectPunctuation(")");
    return inner;
  });
}

function parseUnary(stream: TokenStream): Expression {
  const op = stream.isPunctuation("!") ? "!" : stream.isPunctuation("-") ? "-" : undefined;
  if (op === undefined) return parsePrimary(stream);
  stream.next();
  const operand = stream.nested(() => parseUnary(stream));
  if (op === "-" && operand.k === "literal" && typeof operand.value === "number") {
    return { k: "literal", value: operand.value === 0 ? 0 : -operand.value };
  }
  return { k: "unary", op, operand };
}

function parseRelational(stream: TokenStream): Expression {
  const left = parseUnary(stream);
  for (const op of ["<=", ">=", "<", ">"] as const) {
    if (stream.acceptPunctuation(op)) return { k: "binary", op, left, right: parseUnary(stream) };
  }
  return left;
}

function chain(
  stream: TokenStream,
  ops: readonly ("||" | "&&" | "==" | "!=")[],
  operand: (stream: TokenStream) => Expression,
): Expression {
  let left = operand(stream);
  for (;;) {
    const op = ops.find((candidate) => stream.acceptPunctuation(candidate));
    if (op === undefined) return left;
    stream.countOperator();
    left = { k: "binary", op, left, right: operand(stream) };
  }
}

const parseEquality = (stream: TokenStream): Expression => chain(stream, ["==", "!="], parseRelational);
const parseConjunction = (stream: TokenStream): Expression => chain(stream, ["&&"], parseEquality);

export const parseExpression = (stream: TokenStream): Expression =>
  stream.expression(() => chain(stream, ["||"], parseConjunction));
