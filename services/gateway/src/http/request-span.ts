/** The span of one HTTP request: the root of a trace, unless the caller is in one already. */
import { openSpan, TENANT_ATTRIBUTE } from "@mainspring/service-kit";
import type { OpenSpan } from "@mainspring/service-kit";
import type { Request, Response } from "express";

/** Ends with the answer, which may be a stream that takes as long as its run. */
export function requestSpan(request: Request, response: Response, tenant: string): OpenSpan {
  const { method } = request;
  const span = openSpan("gateway", method, {
    parent: request.header("traceparent") ?? "",
    kind: "server",
    attributes: { "http.request.method": method, [TENANT_ATTRIBUTE]: tenant },
  });
  response.on("close", () => {
    const route = (request.route as { path?: string } | undefined)?.path;
    const { statusCode } = response;
    if (route !== undefined) span.rename(`${method} ${request.baseUrl}${route}`);
    span.set({ "http.response.status_code": statusCode, ...(route === undefined ? {} : { "http.route": route }) });
    span.end(statusCode >= 500 ? `HTTP ${statusCode}` : undefined);
  });
  return span;
}
