/** Holds request bodies to a depth that every reader after the parser can take. */
import { MainspringError } from "@mainspring/kernel";
import type { RequestHandler } from "express";

/** Deepest nesting of lists and objects in a request body. */
export const JSON_DEPTH_MAX = 100;

export const limitDepth: RequestHandler = (request, _response, next) => {
  if (!isDeeper(request.body, JSON_DEPTH_MAX)) return next();
  const message = `the request body is nested deeper than ${JSON_DEPTH_MAX} levels`;
  next(new MainspringError("invalid_argument", message, { reason: "too_deep" }));
};

/** Level by level, without recursion: what it looks at may be too deep for that. */
export function isDeeper(value: unknown, depth: number): boolean {
  let level = [value].filter(isNested);
  for (let below = depth; level.length > 0; below -= 1) {
    if (below === 0) return true;
    level = level.flatMap((node) => Object.values(node).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
