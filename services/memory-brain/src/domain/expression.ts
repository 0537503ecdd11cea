/**
 * Expressions with three-valued logic: true, false, and null for "cannot be told". A comparison with null or between
 * unlike types gives null; a filter passes on true only.
 */
import { nearest } from "@mainspring/kernel";
import { canonicalJson, isObject, KipError, type Binary, type Call, type Expression, type Json } from "@mainspring/kip";
import { compileRegex, type Matcher } from "./regex.ts";

/** An element as the value of an expression. */
export class ElementHandle {
  readonly id: string;
  readonly kind: string;
  constructor(id: string, kind: string) {
    this.id = id;
    this.kind = kind;
  }
}

export type Operand = Json | ElementHandle;
export type Lookup = (name: string, steps: readonly string[]) => Operand | undefined;

const FUNCTIONS: Readonly<Record<string, number>> = {
  IN: 2,
  CONTAINS: 2,
  STARTS_WITH: 2,
  ENDS_WITH: 2,
  REGEX: 2,
  IS_NULL: 1,
  IS_NOT_NULL: 1,
  IS_LITERAL: 1,
  IS_ELEMENT: 1,
  IS_KIND: 2,
  LITERAL_TYPE: 1,
};

/** Refuses functions that do not exist, before anything is read. */
export function checkExpression(node: Expression): void {
  switch (node.k) {
    case "call": {
      const arity = Object.hasOwn(FUNCTIONS, node.name) ? FUNCTIONS[node.name] : undefined;
      if (arity === undefined) {
        const near = nearest(node.name, Object.keys(FUNCTIONS));
        throw new KipError(
          "InvalidSyntax",
          `there is no function ${node.name}${near === undefined ? "" : `; did you mean ${near}?`}`,
          { offset: node.at },
        );
      }
      if (node.args.length !== arity)
        throw new KipError("InvalidSyntax", `${node.name} takes ${arity} arguments`, { offset: node.at });
      node.args.forEach(checkExpression);
      return;
    }
    case "unary":
      return checkExpression(node.operand);
    case "binary":
      checkExpression(node.left);
      return checkExpression(node.right);
    case "array":
      node.items.forEach(checkExpression);
      return;
    case "object":
      for (const member of node.members) checkExpression(member.value);
      return;
    default:
  }
}

/** The variables that an expression reads. */
export function variablesOf(node: Expression, into: Set<string> = new Set()): Set<string> {
  if (node.k === "variable" || node.k === "path") into.add(node.name);
  else if (node.k === "call") for (const arg of node.args) variablesOf(arg, into);
  else if (node.k === "unary") variablesOf(node.operand, into);
  else if (node.k === "binary") variablesOf(node.right, variablesOf(node.left, into));
  else if (node.k === "array") for (const item of node.items) variablesOf(item, into);
  else if (node.k === "object") for (const member of node.members) variablesOf(member.value, into);
  return into;
}

function idOf(value: Operand): string | undefined {
  if (value instanceof ElementHandle) return value.id;
  return isObject(value) && typeof value["id"] === "string" && Object.keys(value).length <= 2 ? value["id"] : undefined;
}

/** Equality, or null between unlike types. */
export function equal(left: Operand, right: Operand): boolean | null {
  if (left === null || right === null) return null;
  if (left instanceof ElementHandle || right instanceof ElementHandle) {
    const [one, other] = [idOf(left), idOf(right)];
    return one === undefined || other === undefined ? null : one === other;
  }
  if (typeof left !== typeof right || Array.isArray(left) !== Array.isArray(right)) return null;
  if (typeof left === "string") return left.normalize("NFC") === (right as string).normalize("NFC");
  return typeof left === "object" ? canonicalJson(left) === canonicalJson(right) : left === right;
}

/** Below zero, zero or above for strings and numbers of one type; undefined otherwise. */
export function order(left: Operand, right: Operand): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return undefined;
}

const truth = (value: Operand): boolean | null => (typeof value === "boolean" ? value : null);
const not = (value: boolean | null): boolean | null => (value === null ? null : !value);

const matchers = new Map<string, Matcher>();
const MATCHERS_MAX = 256;
function matcherOf(pattern: string): Matcher {
  let matcher = matchers.get(pattern);
  if (matcher === undefined) {
    matcher = compileRegex(pattern);
    if (matchers.size >= MATCHERS_MAX) matchers.clear();
    matchers.set(pattern, matcher);
  }
  return matcher;
}

function member(value: Operand, list: Operand): boolean | null {
  if (!Array.isArray(list) || value === null) return null;
  let unknown = false;
  for (const item of list as Operand[]) {
    const same = equal(value, item);
    if (same === true) return true;
    if (same === null && item === null) unknown = true;
  }
  return unknown ? null : false;
}

function textTest(name: string, text: Operand, part: Operand): boolean | null {
  if (name === "CONTAINS" && Array.isArray(text)) return member(part, text);
  if (typeof text !== "string" || typeof part !== "string") return null;
  if (name === "CONTAINS") return text.includes(part);
  if (name === "STARTS_WITH") return text.startsWith(part);
  return name === "ENDS_WITH" ? text.endsWith(part) : matcherOf(part)(text);
}

function isElement(value: Operand): boolean {
  return value instanceof ElementHandle;
}

function literalType(value: Operand): string | null {
  if (value === null || typeof value === "object") return null;
  return typeof value;
}

function call(node: Call, lookup: Lookup): Operand {
  const [first = null, second = null] = node.args.map((arg) => evaluate(arg, lookup));
  switch (node.name) {
    case "IN":
      return member(first, second);
    case "IS_NULL":
      return first === null;
    case "IS_NOT_NULL":
      return first !== null;
    case "IS_LITERAL":
      return first === null ? null : literalType(first) !== null;
    case "IS_ELEMENT":
      return first === null ? null : isElement(first);
    case "IS_KIND":
      return first instanceof ElementHandle && typeof second === "string"
        ? first.kind.toLowerCase() === second.toLowerCase()
        : null;
    case "LITERAL_TYPE":
      return literalType(first);
    default:
      return textTest(node.name, first, second);
  }
}

function binary(node: Binary, lookup: Lookup): boolean | null {
  const left = evaluate(node.left, lookup);
  if (node.op === "&&" || node.op === "||") {
    const decisive = node.op === "||";
    if (truth(left) === decisive) return decisive;
    const right = truth(evaluate(node.right, lookup));
    if (right === decisive) return decisive;
    return truth(left) === null || right === null ? null : !decisive;
  }
  const right = evaluate(node.right, lookup);
  if (node.op === "==") return equal(left, right);
  if (node.op === "!=") return not(equal(left, right));
  const compared = order(left, right);
  if (compared === undefined) return null;
  if (node.op === "<") return compared < 0;
  if (node.op === ">") return compared > 0;
  return node.op === "<=" ? compared <= 0 : compared >= 0;
}

export function evaluate(node: Expression, lookup: Lookup): Operand {
  switch (node.k) {
    case "literal":
      return node.value;
    case "element":
      return { id: node.id };
    case "variable":
      return lookup(node.name, []) ?? null;
    case "path":
      return lookup(node.name, node.steps) ?? null;
    case "array":
      return node.items.map((item) => evaluate(item, lookup)) as Json;
    case "object":
      return Object.fromEntries(node.members.map((entry) => [entry.key, evaluate(entry.value, lookup)])) as Json;
    case "call":
      return call(node, lookup);
    case "unary": {
      const value = evaluate(node.operand, lookup);
      if (node.op === "!") return not(truth(value));
      return typeof value === "number" ? -value : null;
    }
    case "binary":
      return binary(node, lookup);
    case "parameter":
      throw new KipError("ReferenceError", `parameter :${node.name} is not bound`, { offset: node.at });
  }
}
