import type { Changes, Describe, Find, Guard, Inspect, Meta, Mutation, Statement, StructuralLink } from "./ast.ts";
import {
  joinWords,
  printClause,
  printExpression,
  printKey,
  printPatternValue,
  printProjection,
  printRef,
  printTuple,
  printWhere,
} from "./print-value.ts";

function printFind(node: Find): string {
  const order = node.orderBy
    .map((item) => `${printProjection(item.expression)}${item.descending ? " DESC" : ""}`)
    .join(", ");
  return joinWords(
    `FIND(${node.projections.map(printProjection).join(", ")}) WHERE ${printWhere(node.where)}`,
    printClause("AS OF SEQ", node.asOfSeq),
    printClause("FOR TIME", node.forTime),
    printClause("WITH EPISTEMIC", node.epistemic),
    order === "" ? undefined : `ORDER BY ${order}`,
    printClause("LIMIT", node.limit),
    printClause("CURSOR", node.cursor),
  );
}

function printLinks(links: readonly StructuralLink[]): string {
  const entries = links.map((link) =>
    joinWords(
      `(${printExpression(link.field)}, ${printRef(link.target)})`,
      link.options && printExpression(link.options),
    ),
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(" ")} }`;
}

const printNames = (names: readonly string[]): string => `{${names.map(printKey).join(", ")}}`;

function printChanges(changes: Changes): string {
  return joinWords(
    printClause("SET FIELDS", changes.fields),
    printClause("SET ATTRIBUTES", changes.attributes),
    ...changes.facets.map((entry) => `SET FACET ${printExpression(entry.facet)} ${printExpression(entry.values)}`),
    changes.structural && `SET STRUCTURAL ${printLinks(changes.structural)}`,
    changes.unsetAttributes && `UNSET ATTRIBUTES ${printNames(changes.unsetAttributes)}`,
    ...changes.unsetFacets.map((entry) => `UNSET FACET ${printExpression(entry.facet)} ${printNames(entry.names)}`),
    changes.unsetStructural && `UNSET STRUCTURAL ${printLinks(changes.unsetStructural)}`,
  );
}

function printGuard(guard: Guard): string {
  const version = `EXPECT VERSION ${printExpression(guard.version)}`;
  if (guard.plane === "ELEMENT") return version;
  return joinWords(`${version} OF ${guard.plane}`, guard.facet && printExpression(guard.facet));
}
const printGuards = (guards: readonly Guard[]): string => guards.map(printGuard).join(" ");

function printCreation(node: Extract<Mutation, { k: "create_concept" | "create_record" }>): string {
  const kind = node.k === "create_concept" ? "CONCEPT" : node.kind.toUpperCase();
  const head =
    node.k === "create_concept"
      ? joinWords(
          printClause("TYPE", node.type),
          printClause("CLIENT KEY", node.clientKey),
          printClause("NAME", node.name),
        )
      : printClause("CLIENT KEY", node.clientKey);
  return `CREATE ${kind} ?${node.handle.name} { ${joinWords(head, printChanges(node.changes))} }`;
}

function printTail(node: {
  readonly where: Parameters<typeof printWhere>[0] | undefined;
  readonly limit: Parameters<typeof printClause>[1];
  readonly guards: readonly Guard[];
}): string {
  return joinWords(
    node.where && `WHERE ${printWhere(node.where)}`,
    printClause("LIMIT", node.limit),
    printGuards(node.guards),
  );
}

function printMutation(node: Mutation): string {
  const handle = "handle" in node && node.handle !== undefined ? `?${node.handle.name}` : undefined;
  switch (node.k) {
    case "create_concept":
    case "create_record":
      return printCreation(node);
    case "upsert": {
      const body = joinWords(`MATCH ${printPatternValue(node.match)}`, printChanges(node.changes));
      return joinWords(`UPSERT CONCEPT ?${node.handle.name} { ${body} }`, printGuards(node.guards));
    }
    case "ensure":
      return joinWords(
        "ENSURE PROPOSITION",
        handle,
        printTuple(node.tuple),
        printClause("EXPECT VERSION", node.expectNew),
      );
    case "assert":
      return joinWords(
        "ASSERT",
        handle,
        printTuple(node.tuple),
        printExpression(node.body),
        printClause("SUPERSEDING", node.superseding),
      );
    case "update":
      return joinWords(`UPDATE ${printRef(node.target)}`, printChanges(node.changes), printTail(node));
    case "transition":
      return joinWords(
        `TRANSITION ${printRef(node.target)} TO ${printExpression(node.to)}`,
        printClause("BY", node.by),
        printChanges(node.changes),
        printTail(node),
      );
    case "retention":
      return joinWords(`SET RETENTION ${printRef(node.target)} ${printExpression(node.body)}`, printTail(node));
    case "purge":
      return joinWords(
        `PURGE ${printRef(node.target)}`,
        printTail(node),
        printClause("REFERENCE POLICY", node.policy),
        'CONFIRM "PURGE"',
      );
    case "purge_payload":
      return joinWords(`PURGE PAYLOAD ${printRef(node.target)}`, printTail(node), 'CONFIRM "PURGE"');
    case "merge":
      return joinWords(`MERGE CONCEPT ${printRef(node.target)} INTO ${printRef(node.into)}`, printTail(node));
  }
}

function printDescribe(node: Describe): string {
  const asOf = node.asOf && `${node.asOf.by === "SEQ" ? "AS OF SEQ" : "AT TIME"} ${printExpression(node.asOf.value)}`;
  const keyword = node.topic === "PRIMER" ? "MODE" : node.topic === "COMPATIBILITY" ? "FROM" : "";
  const value = node.value && joinWords(keyword, printExpression(node.value));
  return joinWords(
    `DESCRIBE ${node.topic}`,
    value,
    printClause("TO", node.to),
    asOf,
    printClause("WITH", node.options),
  );
}

function printInspect(node: Inspect): string {
  return joinWords(
    `${node.verb} ${node.topic} ${printExpression(node.value)}`,
    printClause("INTO", node.into),
    printClause("WITH", node.options),
  );
}

function printMeta(node: Meta): string {
  switch (node.k) {
    case "describe":
      return printDescribe(node);
    case "list":
      return joinWords(
        `LIST ${node.topic}`,
        printClause(node.topic === "SCHEMA PACKAGES" ? "STATUS" : "", node.value)?.trim(),
        printClause("DEPTH", node.depth),
        printClause("LIMIT", node.limit),
        printClause("CURSOR", node.cursor),
      );
    case "search_command":
      return joinWords(
        `SEARCH ${node.kind.toUpperCase()} ${printExpression(node.text)}`,
        printClause("WITH TYPE", node.type),
        printClause("WITH PREDICATE", node.predicate),
        printClause("MODE", node.mode),
        printClause("THRESHOLD", node.threshold),
        printClause("AS OF SEQ", node.asOfSeq),
        printClause("LIMIT", node.limit),
        printClause("CURSOR", node.cursor),
      );
    case "history":
      return joinWords(
        node.element === undefined ? "HISTORY SPACE" : `HISTORY ELEMENT ${printExpression(node.element)}`,
        printClause("FROM SEQ", node.from),
        printClause("TO SEQ", node.to),
        printClause("LIMIT", node.limit),
        printClause("CURSOR", node.cursor),
      );
    case "changes":
      return joinWords(
        "CHANGES",
        printClause("SINCE", node.since),
        printClause("AFTER SEQ", node.afterSeq),
        printClause("LIMIT", node.limit),
      );
    case "inspect":
      return printInspect(node);
    case "export":
      return joinWords(
        `EXPORT CAPSULE ${printRef(node.target)} WHERE ${printWhere(node.where)}`,
        printClause("WITH", node.options),
        printClause("AS OF SEQ", node.asOfSeq),
      );
  }
}

/** The canonical text of a statement. `parse(print(x))` is x for every x that `parse` gives. */
export function print(node: Statement): string {
  switch (node.k) {
    case "find":
      return printFind(node);
    case "mutate":
      return `MUTATE { ${node.statements.map(printMutation).join(" ")} }`;
    case "define":
      return `DEFINE ${node.what === "type" ? "CONCEPT TYPE" : "PREDICATE"} ${JSON.stringify(node.name)} ${printExpression(node.body)}`;
    case "describe":
    case "list":
    case "search_command":
    case "history":
    case "changes":
    case "inspect":
    case "export":
      return printMeta(node);
    default:
      return printMutation(node);
  }
}
