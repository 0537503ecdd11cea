/** `\plan`: how a query would be answered. */
import type { Json, JsonObject, KipErrorObject } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

import { table } from "../output.ts";
import type { Output } from "../output.ts";
import { printResponse } from "./print.ts";
import { cell, errorLine } from "./show.ts";
import type { SpaceSession } from "./space-session.ts";

/** The steps of the plan, or why there is none; false then. */
export async function printPlan(
  query: string,
  session: SpaceSession,
  asJson: boolean,
  output: Output,
  signal?: AbortSignal,
): Promise<boolean> {
  const response = await session.plan(query, signal);
  const result = response.results[0]?.result;
  if (asJson || !isObject(result ?? null)) {
    return (
      printResponse(response, "", asJson, output) &&
      (!isObject(result ?? null) || (result as JsonObject)["valid"] === true)
    );
  }
  const { valid, plan, errors } = result as JsonObject;
  if (valid !== true) {
    for (const error of (errors ?? []) as unknown as KipErrorObject[]) output.err(`${errorLine(error)}\n`);
    return false;
  }
  output.out(Array.isArray(plan) ? planTable(plan) : `${JSON.stringify(result, null, 2)}\n`);
  return true;
}

function planTable(plan: readonly Json[]): string {
  const rows = plan.filter(isObject).map((step) => {
    const { depth = 0, pattern = "", variable = null, access = "", rows_per_input: rows = "", filters = 0 } = step;
    return [`${"  ".repeat(Number(depth))}${cell(pattern)}`, cell(variable), cell(access), cell(rows), cell(filters)];
  });
  return table(["STEP", "VARIABLE", "ACCESS", "ROWS", "FILTERS"], rows);
}
