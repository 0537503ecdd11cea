/**
 * What the SDK needs of `fetch`, on top of `undici.request`: no web streams in between, which cost more than all the
 * rest of a call. Only for requests with a text as body; redirects are not followed, so a key goes nowhere else.
 */
import { request } from "undici";
import type { Dispatcher } from "undici";

interface FetchInit {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string | null;
  readonly signal?: AbortSignal;
}

export type LeanFetch = (url: string, init?: FetchInit) => Promise<Response>;

export function leanFetch(dispatcher: Dispatcher): LeanFetch {
  return async (url, init = {}) => {
    const { method = "GET", headers, body = null, signal } = init;
    const response = await request(url, {
      method: method.toUpperCase() as Dispatcher.HttpMethod,
      headers: Object.fromEntries(headers ?? []),
      body,
      dispatcher,
      ...(signal === undefined ? {} : { signal }),
    });
    const status = response.statusCode;
    const like = {
      url,
      status,
      statusText: "",
      ok: status >= 200 && status < 300,
      redirected: false,
      headers: headersOf(response.headers),
      body: response.body,
      text: () => response.body.text(),
      json: () => response.body.json(),
    };
    return like as unknown as Response;
  };
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  return headers;
}
