/** Requests to an HTTP server of this process: through it, not through the network. */
import { request } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { duplexPair, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { Fetch } from "@mainspring/client";
import { lendPlace } from "@mainspring/service-kit";

/** Address of requests that never leave the process. */
export const LOCAL_URL = "http://mainspring.local";
/** Answers that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Each request has a connection of its own, in memory. A request of a tool's own call lends the place of that call to what it
 * waits for, so tools may run agents that run tools.
 */
export function localFetch(server: Server): Fetch {
  return (url, { method = "GET", headers, body, signal }) => {
    const { host, pathname, search } = new URL(url);
    const takeBack = lendPlace();
    return new Promise<Response>((resolve, reject) => {
      const sent = request({
        ...{ method, host, path: pathname + search, headers: Object.fromEntries(new Headers(headers)) },
        ...(signal === undefined || signal === null ? {} : { signal }),
        createConnection: () => {
          const [mine, theirs] = duplexPair();
          server.emit("connection", theirs);
          return mine;
        },
      });
      sent.once("close", takeBack);
      sent.once("error", reject);
      sent.once("response", (answer) => resolve(responseOf(answer)));
      if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as never), sent).catch(reject);
      else sent.end(body ?? undefined);
    });
  };
}

function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = answer.statusCode ?? 500;
  if (EMPTY.has(status)) answer.resume();
  const body = EMPTY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}
