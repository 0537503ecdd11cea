import { KipError, type Guard } from "@mainspring/kip";
import type { ElementRow } from "../../domain/element.ts";
import { dataOf, textOfScalar } from "../../domain/query/scalar.ts";
import { planeVersions } from "../render.ts";
import type { Transaction } from "./transaction.ts";

/** EXPECT VERSION against what is there. A bare 0 means that the element must be new; a plane that was never set is at 0. */
export function checkGuards(
  transaction: Transaction,
  row: ElementRow | undefined,
  guards: readonly Guard[],
  id: string,
): void {
  for (const guard of guards) {
    const expected = dataOf(guard.version);
    if (typeof expected !== "number" || !Number.isInteger(expected) || expected < 0)
      throw new KipError("TypeMismatch", "EXPECT VERSION takes a whole number");
    const facet =
      guard.facet === undefined
        ? undefined
        : transaction.environment.facet(textOfScalar(guard.facet, "a facet")).definition.name;
    const plane = facet === undefined ? guard.plane : `FACET ${facet}`;
    const found = row === undefined ? 0 : plane === "ELEMENT" ? row.version : (planeVersions(row)[plane] ?? 0);
    if (found !== expected) {
      throw new KipError(
        "VersionConflict",
        `${id} is at version ${found}${plane === "ELEMENT" ? "" : ` of ${plane}`}, not ${expected}`,
        {
          details: { id, plane, expected, found },
        },
      );
    }
  }
}
