import type { Aggregate, Find, OrderItem, Projection } from "./ast.ts";
import { parseWhere } from "./parse-pattern.ts";
import { parseDataObject, parseExpression, parsePath, parseScalar } from "./parse-value.ts";
import type { TokenStream } from "./token-stream.ts";

const AGGREGATES = ["COUNT", "SUM", "AVG", "MIN", "MAX"] as const;

function acceptAggregate(stream: TokenStream): Aggregate | undefined {
  const fn = AGGREGATES.find((name) => stream.isWord(name));
  if (fn === undefined || !stream.isPunctuation("(", 1)) return undefined;
  const at = stream.next().start;
  return stream.nested((): Aggregate => {
    stream.expectPunctuation("(");
    const distinct = stream.isWord("DISTINCT");
    if (distinct && fn !== "COUNT") throw stream.error("DISTINCT is allowed in COUNT only");
    if (distinct) stream.next();
    const operand = parsePath(stream);
    stream.expectPunctuation(")");
    return { k: "aggregate", fn, distinct, operand, at };
  });
}

function parseProjection(stream: TokenStream): Projection {
  const aggregate = acceptAggregate(stream);
  if (aggregate !== undefined) return aggregate;
  if (stream.peek().kind !== "variable") throw stream.unexpected(["a ?variable", ...AGGREGATES]);
  return parsePath(stream);
}

function parseOrderItem(stream: TokenStream): OrderItem {
  const expression = acceptAggregate(stream) ?? parseExpression(stream);
  const descending = stream.acceptWords("DESC");
  if (!descending) stream.acceptWords("ASC");
  return { expression, descending };
}

function parseOrderBy(stream: TokenStream): OrderItem[] {
  const items: OrderItem[] = [];
  if (!stream.acceptWords("ORDER", "BY")) return items;
  do items.push(parseOrderItem(stream));
  while (stream.acceptPunctuation(","));
  return items;
}

export function parseFind(stream: TokenStream): Find {
  stream.expectWords("FIND");
  const projections = stream.list("(", ")", () => parseProjection(stream), false);
  stream.expectWords("WHERE");
  const where = parseWhere(stream, "query");
  const asOfSeq = stream.acceptWords("AS", "OF", "SEQ") ? parseScalar(stream) : undefined;
  const forTime = stream.acceptWords("FOR", "TIME") ? parseScalar(stream) : undefined;
  const epistemic = stream.acceptWords("WITH", "EPISTEMIC") ? parseDataObject(stream) : undefined;
  const orderBy = parseOrderBy(stream);
  const limit = stream.acceptWords("LIMIT") ? parseScalar(stream) : undefined;
  const cursor = stream.acceptWords("CURSOR") ? parseScalar(stream) : undefined;
  return { k: "find", projections, where, asOfSeq, forTime, epistemic, orderBy, limit, cursor };
}
