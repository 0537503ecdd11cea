/** What the engine has for all commands of a Space, and what one request adds. */
import { BINDINGS_MAX, KipError } from "@mainspring/kip";
import type { SchemaEnvironment } from "../domain/schema-environment.ts";
import type { Digest } from "../ports/digest.ts";
import type { GraphView } from "../ports/space-graph.ts";

/** Bounds of one query. Past one of them it fails by name; nothing is cut off silently. */
export interface QueryLimits {
  readonly bindings: number;
  readonly projectionTargets: number;
}
export const QUERY_LIMITS: QueryLimits = { bindings: BINDINGS_MAX, projectionTargets: 50_000 };

export interface Engine {
  readonly limits: QueryLimits;
  readonly spaceId: string;
  readonly digest: Digest;
  readonly environment: SchemaEnvironment;
  /** The present, or what was held at a sequence number. Numbers that do not exist are `HistoricalSnapshotUnavailable`. */
  view(seq: number | undefined): GraphView;
}

export interface Session {
  readonly now: number;
  /** Who asks; cursors are bound to it. */
  readonly caller: string;
  readonly checkDeadline: () => void;
}

/** Longest that one request may run, and what it gets when it names no deadline. */
export const DEADLINE_MS_MAX = 60_000;
export const DEADLINE_MS_DEFAULT = 10_000;

/** A clock check that throws once `clock` passes the deadline. */
export function deadlineAt(clock: () => number, end: number): () => void {
  return () => {
    if (clock() > end)
      throw new KipError("ExecutionTimeout", "the request ran past its deadline", {
        details: { limit: "deadline_ms" },
      });
  };
}
