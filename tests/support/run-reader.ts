/** Reads runs over HTTP as a client would: streams that are cut and resumed, and waits for ends. */
import { setTimeout as pause } from "node:timers/promises";

import { EventSourceParserStream } from "eventsource-parser/stream";

import { ADMIN_KEY } from "./mainspring-process.ts";

export interface WireEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

const HEADERS = { authorization: `Bearer ${ADMIN_KEY}` };

export async function api(
  url: string,
  path: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { ...HEADERS, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Starts a background response of `agent/script`; tries again while the server is away. */
export async function startRun(url: string, directives: string, key: string): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`${url}/v1/responses`, {
        method: "POST",
        headers: { ...HEADERS, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ model: "agent/script", background: true, input: directives }),
      });
      if (response.ok) return ((await response.json()) as { id: string }).id;
      if (response.status < 500) throw new Refused(await response.text());
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
    await pause(100);
  }
}

class Refused extends Error {}

/** Every event of the response from its first, across any number of broken connections; ends with the terminal one. */
export async function readToEnd(
  url: () => string,
  id: string,
  onEvent: (event: WireEvent) => void = () => undefined,
): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.sequence_number;
    const query = after === undefined ? "" : `&starting_after=${after}`;
    try {
      const response = await fetch(`${url()}/v1/responses/${id}?stream=true${query}`, { headers: HEADERS });
      if (response.status === 404) throw new Refused(`${id} is gone`);
      if (!response.ok) throw new Error(`${response.status}`);
      const stream = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { data } of stream) {
        const event = JSON.parse(data) as WireEvent;
        events.push(event);
        onEvent(event);
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
    if (isTerminal(events.at(-1))) return events;
    await pause(100);
  }
}

export function isTerminal(event: WireEvent | undefined): boolean {
  return event !== undefined && /^response\.(completed|failed|incomplete)$/.test(event.type);
}

/** Fails unless the events are numbered upwards without a double, and deltas add up to what their items end with. */
export function checkStream(events: readonly WireEvent[]): void {
  let before = -1;
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.sequence_number <= before)
      throw new Error(`${event.type} has number ${event.sequence_number} after ${before}`);
    before = event.sequence_number;
    const id = String(event["item_id"]);
    if (event.type.endsWith(".delta")) texts.set(id, (texts.get(id) ?? "") + String(event["delta"]));
    const whole = event["text"] ?? event["arguments"];
    if (event.type.endsWith(".done") && typeof whole === "string" && (texts.get(id) ?? "") !== whole) {
      throw new Error(
        `${event.type}: deltas say ${JSON.stringify(texts.get(id))}, the whole is ${JSON.stringify(whole)}`,
      );
    }
  }
}

/** The mcp_call items of a response by the `id` in their arguments. */
export function callsById(response: {
  output: { type: string; arguments?: string }[];
}): Map<string, Record<string, unknown>> {
  const calls = response.output.filter((item) => item.type === "mcp_call");
  return new Map(
    calls.map((call) => [(JSON.parse(call.arguments!) as { id: string }).id, call as Record<string, unknown>]),
  );
}
