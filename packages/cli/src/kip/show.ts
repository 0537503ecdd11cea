/** KIP responses for people: tables where a result is a list, JSON where it is not. */
import type { Json, JsonObject, KipErrorObject, KipResponse, KipResult } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

import { brief, table } from "../output.ts";
import { changesOf } from "./element-changes.ts";

const CELL_CHARS_MAX = 60;
const COLUMNS_MAX = 8;
const HISTORY_CHARS_MAX = 200;

export interface Shown {
  /** For standard output. */
  readonly out: string;
  /** What surrounds it, a sentence a line. */
  readonly notes: readonly string[];
  readonly failed: boolean;
}

/** `command`: what was asked, for the heads of the columns. */
export function showResponse(response: KipResponse, command: string): Shown {
  if (response.error !== undefined) return { out: "", notes: [errorLine(response.error)], failed: true };
  const shown = response.results.map((result) => showResult(result, command));
  return {
    out: shown.map(({ out }) => out).join("\n"),
    notes: [...shown.flatMap(({ notes }) => notes), ...(response.warnings ?? [])],
    failed: shown.some(({ failed }) => failed),
  };
}

export function errorLine({ code, message, hint, details }: KipErrorObject): string {
  const offset = details?.["offset"];
  const where = typeof offset === "number" ? ` (at character ${offset + 1})` : "";
  return `${code}: ${message}${where}${hint === "" ? "" : `. ${hint}`}`;
}

function showResult(result: KipResult, command: string): Shown {
  const { error, status, next_cursor: cursor, receipt, warnings = [] } = result;
  if (error !== undefined) return { out: "", notes: [errorLine(error)], failed: true };
  const notes = [
    ...warnings,
    ...(status === "no_effect" ? ["nothing changed"] : []),
    ...(receipt === undefined ? [] : [`committed as ${receipt.tx_id}`]),
    ...(cursor === undefined ? [] : [`more: CURSOR ${JSON.stringify(cursor)}`]),
  ];
  return { ...showValue(result.result ?? null, command, notes), failed: false };
}

function showValue(value: Json, command: string, notes: string[]): { out: string; notes: string[] } {
  if (Array.isArray(value)) {
    const counted = [`${value.length} ${value.length === 1 ? "row" : "rows"}`, ...notes];
    if (/^\s*HISTORY\s+ELEMENT\b/i.test(command)) return { out: historyTable(value), notes: counted };
    return { out: value.length === 0 ? "" : rowsTable(value, command), notes: counted };
  }
  if (isObject(value)) {
    const { hits, changes, handles } = value;
    if (Array.isArray(hits)) return showValue(hits.map(hitRow), "", notes);
    if (Array.isArray(changes) && isObject(handles)) return { out: showChanges(handles, changes), notes };
  }
  return { out: value === null ? "" : `${JSON.stringify(value, null, 2)}\n`, notes };
}

function hitRow(hit: Json): Json {
  if (!isObject(hit)) return hit;
  const { id, kind, score, element } = hit;
  return { id: id ?? null, kind: kind ?? null, score: score ?? null, what: cell(element ?? null) };
}

function showChanges(handles: JsonObject, changes: readonly Json[]): string {
  const names = Object.entries(handles).map(([name, id]) => `?${name} = ${cell(id)}\n`);
  const rows = changes.map((change) => {
    const { op = "", kind = "", id = "", new_version: version = "" } = isObject(change) ? change : {};
    return [op, kind, id, version].map(cell);
  });
  const list = rows.length === 0 ? "" : table(["CHANGE", "KIND", "ID", "VERSION"], rows);
  return names.join("") + list;
}

function rowsTable(rows: readonly Json[], command: string): string {
  if (rows.every(isObject) && !/^\s*FIND\b/i.test(command)) {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX);
    return table(
      names.map((name) => name.toUpperCase()),
      rows.map((row) => names.map((name) => cell(row[name] ?? null))),
    );
  }
  const heads = projectionsOf(command);
  const lines = rows.map((row) => (heads.length > 1 && Array.isArray(row) ? row : [row]).map(cell));
  const width = Math.max(heads.length, ...lines.map((line) => line.length));
  return table(
    Array.from({ length: width }, (_, column) => heads[column] ?? ""),
    lines,
  );
}

/** Versions of an element: the first as it is, the others by what differs from the one before. */
function historyTable(rows: readonly Json[]): string {
  let before: Json = null;
  const lines = rows.filter(isObject).map((row) => {
    const { space_seq: seq = null, version = null, at = null, element = null } = row;
    const what = before === null ? cell(element) : brief(changesOf(before, element), HISTORY_CHARS_MAX);
    before = element;
    return [cell(seq), cell(version), cell(at), what];
  });
  return lines.length === 0 ? "" : table(["SPACE_SEQ", "VERSION", "AT", "WHAT CHANGED"], lines);
}

/** The projections of a FIND as they were written. */
export function projectionsOf(command: string): string[] {
  const begin = /^\s*FIND\s*\(/i.exec(command)?.[0].length ?? 0;
  if (begin === 0) return [];
  const parts = [""];
  let depth = 1;
  for (const [part] of command.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if (part === "(" || part === "[") depth += 1;
    if (part === ")" || part === "]") depth -= 1;
    if (depth === 0) break;
    if (part === ",") parts.push("");
    else parts[parts.length - 1] += part;
  }
  return parts.map((part) => part.trim().replaceAll(/\s+/g, " "));
}

/** One line for any value; an element is its id and what it is called. */
export function cell(value: Json): string {
  if (value === null) return "-";
  if (typeof value === "string") return brief(value, CELL_CHARS_MAX);
  if (!isObject(value)) return brief(JSON.stringify(value), CELL_CHARS_MAX);
  const { id, name, key, status } = value;
  if (typeof id === "string") {
    const label = [name, key, elementText(value)].find(
      (text): text is string => typeof text === "string" && text !== "",
    );
    return brief(label === undefined ? id : `${id} ${label}`, CELL_CHARS_MAX);
  }
  if (typeof status === "string") return brief(beliefText(status, value), CELL_CHARS_MAX);
  return brief(JSON.stringify(value), CELL_CHARS_MAX);
}

function elementText({ subject, predicate_ref: predicate, object, stance, proposition, payload }: JsonObject): string {
  const idOf = (part: Json | undefined): string => (isObject(part) ? cell(part) : JSON.stringify(part ?? null));
  if (typeof predicate === "string") {
    return `(${idOf(subject)} ${predicate.replace(/^.*\//, "")} ${idOf(object)})`;
  }
  if (typeof stance === "string") return `${stance} ${idOf(proposition)}`;
  return payload === undefined || payload === null
    ? ""
    : typeof payload === "string"
      ? payload
      : JSON.stringify(payload);
}

function beliefText(status: string, { accepted_values: accepted }: JsonObject): string {
  if (!Array.isArray(accepted) || accepted.length === 0) return status;
  return `${status}: ${accepted.map(cell).join(", ")}`;
}
