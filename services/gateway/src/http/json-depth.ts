/** Holds request bodies to a depth that every reader after the parser can take. */
import { isDeeper, JSON_DEPTH_MAX, MainspringError } from "@mainspring/kernel";
import type { RequestHandler } from "express";

export const limitDepth: RequestHandler = (request, _response, next) => {
  if (!isDeeper(request.body, JSON_DEPTH_MAX)) return next();
  const message = `the request body is nested deeper than ${JSON_DEPTH_MAX} levels`;
  next(new MainspringError("invalid_argument", message, { reason: "too_deep" }));
};
