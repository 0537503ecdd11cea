/** What differs between two versions of an element, in words. */
import type { Json, JsonObject } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

const SHOWN_MAX = 8;
/** Fields that change with every version. */
const BOOKKEEPING = /^_system\.(?!state$)/;

/** `lifecycle.status: active → retracted`, for each field that differs. */
export function changesOf(before: Json, after: Json): string {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !BOOKKEEPING.test(name));
  const changed = names.filter((name) => old.get(name) !== now.get(name));
  const shown = changed.slice(0, SHOWN_MAX).map((name) => `${name}: ${old.get(name) ?? "-"} → ${now.get(name) ?? "-"}`);
  const more = changed.length - shown.length;
  if (changed.length === 0) return "nothing that is shown";
  return `${shown.join(", ")}${more === 0 ? "" : `, and ${more} more`}`;
}

/** Values by their path; an element stands by its id, an empty object for nothing. */
function leavesOf(value: Json, path = "", found = new Map<string, string>()): Map<string, string> {
  if (!isObject(value)) return found.set(path, typeof value === "string" ? value : JSON.stringify(value));
  if (path !== "" && typeof value["id"] === "string") return found.set(path, value["id"]);
  for (const [name, inner] of Object.entries(value as JsonObject)) {
    leavesOf(inner, path === "" ? name : `${path}.${name}`, found);
  }
  return found;
}
