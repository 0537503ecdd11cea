/** What a call on a Space works with, on the thread that owns the connection. */
import { KipError, type JsonObject, type KipResult } from "@mainspring/kip";
import type { SpaceRecords } from "../../ports/space-records.ts";
import type { SpaceEngine } from "../engine.ts";
import { executeRequest, type RequestContext } from "../execute.ts";

export interface SpaceScope {
  readonly engine: SpaceEngine;
  readonly records: SpaceRecords;
  readonly context: RequestContext;
  /** Unix ms; never runs backwards within a Space. */
  readonly now: number;
}

/** Runs one command as the Space's owner, recorded as the caller's. Throws what it fails with. */
export function runCommand(scope: SpaceScope, command: string, parameters: JsonObject): KipResult {
  const context: RequestContext = {
    ...scope.context,
    authority: { principal: "owner", actor: undefined },
    readOnly: false,
  };
  const { error, results } = executeRequest(
    scope.engine,
    { kip: "2.0", operations: [{ command, parameters }] },
    context,
  );
  const failure = error ?? results[0]?.error;
  if (failure !== undefined) throw KipError.fromObject(failure);
  return results[0]!;
}

export const handlesOf = (result: KipResult): Readonly<Record<string, string>> =>
  (result.result as unknown as { readonly handles: Readonly<Record<string, string>> }).handles;
