/** Canonical text of values and patterns: one line, upper-case keywords. */
import type {
  Aggregate,
  AnyTuple,
  ArrayNode,
  Binary,
  BinaryOperator,
  Expression,
  Item,
  ObjectNode,
  PatternValue,
  Predicate,
  Projection,
  Ref,
  Term,
} from "./ast.ts";

const WORD = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const printKey = (key: string): string => (WORD.test(key) ? key : JSON.stringify(key));

const printStep = (step: string): string => (WORD.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`);

function printObject<T>(object: ObjectNode<T>, print: (value: T) => string): string {
  return `{${object.members.map((member) => `${printKey(member.key)}: ${print(member.value)}`).join(", ")}}`;
}
const printArray = <T>(array: ArrayNode<T>, print: (value: T) => string): string =>
  `[${array.items.map(print).join(", ")}]`;

const LEVEL: Readonly<Record<BinaryOperator, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  ">": 4,
  "<=": 4,
  ">=": 4,
};
const UNARY_LEVEL = 5;

/** An operand stands in parentheses where it binds less tightly than `level`. */
function printOperand(node: Expression, level: number): string {
  const loose = node.k === "binary" && LEVEL[node.op] < level;
  return loose ? `(${printExpression(node)})` : printExpression(node);
}

/** Equality, conjunction and disjunction group to the left; the relational operators do not chain. */
function printBinary(node: Binary): string {
  const level = LEVEL[node.op];
  return `${printOperand(node.left, level === 4 ? UNARY_LEVEL : level)} ${node.op} ${printOperand(node.right, level + 1)}`;
}

export function printExpression(node: Expression): string {
  switch (node.k) {
    case "literal":
      return JSON.stringify(node.value);
    case "parameter":
      return `:${node.name}`;
    case "element":
      return `{id: ${JSON.stringify(node.id)}}`;
    case "variable":
      return `?${node.name}`;
    case "path":
      return `?${node.name}${node.steps.map(printStep).join("")}`;
    case "array":
      return printArray(node, printExpression);
    case "object":
      return printObject(node, printExpression);
    case "call":
      return `${node.name}(${node.args.map(printExpression).join(", ")})`;
    case "unary":
      return `${node.op}${printOperand(node.operand, UNARY_LEVEL)}`;
    case "binary":
      return printBinary(node);
  }
}

export function printPatternValue(node: PatternValue | Term): string {
  switch (node.k) {
    case "array":
      return printArray(node, printPatternValue);
    case "object":
      return printObject(node, printPatternValue);
    case "tuple":
    case "tuple_id":
      return printTuple(node);
    case "literal":
    case "parameter":
    case "element":
    case "variable":
      return printExpression(node);
  }
}

function printPredicate(node: Predicate): string {
  if (node.k !== "raw_path") return printExpression(node);
  const names = node.alternatives.map(printExpression).join(" | ");
  if (node.min === 1 && node.max === 1) return node.alternatives.length > 1 ? names : `${names}{1}`;
  return `${names}{${node.min === node.max ? node.min : `${node.min},${node.max ?? ""}`}}`;
}

export function printTuple(node: AnyTuple): string {
  if (node.k === "tuple_id") return `(id: ${printExpression(node.id)})`;
  return `(${printPatternValue(node.subject)}, ${printPredicate(node.predicate)}, ${printPatternValue(node.object)})`;
}

const words = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" ");
const clause = (keyword: string, value: Expression | undefined): string | undefined =>
  value === undefined ? undefined : `${keyword} ${printExpression(value)}`;

function printItem(item: Item): string {
  switch (item.k) {
    case "concept":
      return `?${item.variable.name} ${printPatternValue(item.match)}`;
    case "record":
      return `?${item.variable.name} ${item.kind.toUpperCase()} ${printPatternValue(item.match)}`;
    case "proposition":
      return words(item.variable && `?${item.variable.name}`, printTuple(item.tuple));
    case "structural": {
      const parts = [printPatternValue(item.source), printExpression(item.field), printPatternValue(item.target)];
      return words(item.variable && `?${item.variable.name}`, `STRUCTURAL (${parts.join(", ")})`);
    }
    case "belief": {
      const target = item.target.k === "variable" ? `(?${item.target.name})` : printTuple(item.target);
      return `?${item.variable.name} BELIEF ${target}`;
    }
    case "slot":
      return `?${item.variable.name} BELIEF SLOT (${printPatternValue(item.subject)}, ${printExpression(item.predicate)})`;
    case "search":
      return words(
        `?${item.variable.name} SEARCH ${item.kind.toUpperCase()} ${printExpression(item.text)}`,
        clause("WITH TYPE", item.type),
        clause("WITH PREDICATE", item.predicate),
        clause("MODE", item.mode),
        clause("THRESHOLD", item.threshold),
        clause("LIMIT", item.limit),
      );
    case "filter":
      return `FILTER(${printExpression(item.expression)})`;
    case "not":
    case "optional":
    case "union":
      return `${item.k.toUpperCase()} ${printWhere(item.items)}`;
  }
}

export const printWhere = (items: readonly Item[]): string =>
  items.length === 0 ? "{}" : `{ ${items.map(printItem).join(" ")} }`;

export function printProjection(node: Projection | Expression | Aggregate): string {
  if (node.k !== "aggregate") return printExpression(node);
  return `${node.fn}(${node.distinct ? "DISTINCT " : ""}${printExpression(node.operand)})`;
}

export const printRef = (ref: Ref): string => printExpression(ref);
export { clause as printClause, words as joinWords };
