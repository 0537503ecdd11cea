/** Bodies of the routes that speak JSON alone: UTF-8, JSON, of a bounded depth, and Unicode throughout. */
import { isUtf8 } from "node:buffer";

import { checkJson, MainspringError } from "@mainspring/kernel";
import { json } from "express";
import type { RequestHandler } from "express";

/** Largest request body, 16 MiB. */
export const BODY_BYTES_MAX = 16 * 1024 * 1024;

const parse = json({
  limit: BODY_BYTES_MAX,
  strict: true,
  type: () => true,
  verify: (_request, _response, bytes, encoding) => {
    // Else what is none would be replaced, and nobody told.
    if (encoding === "utf-8" && !isUtf8(bytes)) {
      throw new MainspringError("invalid_argument", "the request body is not UTF-8", { reason: "invalid_json" });
    }
  },
});

const check: RequestHandler = (request, _response, next) => {
  checkJson(request.body as unknown, "the request body");
  next();
};

export const readJson: readonly RequestHandler[] = [parse, check];
