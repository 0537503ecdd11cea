/**
 * Follows a run to its end across whatever happens to the engine-workers that serve the reading: when one goes away
 * the next is asked for what comes after the last event seen. Nothing is missed and nothing comes twice, since events
 * carry their seq and deltas their place.
 */
import type { Clock } from "@mainspring/kernel";
import { backoffMs, MainspringError, sleep } from "@mainspring/kernel";
import type { ArtifactStore } from "@mainspring/service-kit";

import type { FeedEvent, FeedItem, RecordedItem } from "../domain/run-feed.ts";
import type { Caller, EngineApi, SubscribeRequest } from "../ports/engine-api.ts";

const RETRY = { firstMs: 50, maxMs: 1_000 };

export interface FollowPorts {
  readonly engine: EngineApi;
  readonly artifacts: ArtifactStore;
  readonly clock: Clock;
}

export async function* follow(
  ports: FollowPorts,
  caller: Caller,
  request: SubscribeRequest,
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  let afterSeq = request.afterSeq;
  for (let retry = 0; !signal.aborted; retry += 1) {
    try {
      let again = false;
      for await (const item of ports.engine.subscribe(caller, { ...request, afterSeq }, signal)) {
        retry = 0;
        if ("gap" in item) {
          again = true;
          break;
        }
        if ("event" in item) afterSeq = item.event.seq;
        yield "event" in item ? { event: await whole(ports.artifacts, caller.tenant, item.event) } : item;
      }
      if (!again) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!mayPass(error)) throw error;
      await sleep(ports.clock, backoffMs(RETRY, retry, 0), signal).catch(() => undefined);
    }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof MainspringError && (error.code === "unavailable" || error.code === "aborted");
}

/** The event with the large texts of its items fetched, since readers are shown them. */
async function whole(artifacts: ArtifactStore, tenant: string, event: FeedEvent): Promise<FeedEvent> {
  const items = event.data["items"];
  if (!event.type.startsWith("model.") || !Array.isArray(items)) return event;
  return { ...event, data: { ...event.data, items: await wholeItems(artifacts, tenant, items as RecordedItem[]) } };
}

const TEXT_FIELDS = ["text", "arguments", "output", "signature"] as const;

/** Items with the contents that were moved to artifacts fetched: texts, and parts of a message. */
export async function wholeItems<T extends object>(
  artifacts: ArtifactStore,
  tenant: string,
  items: readonly T[],
): Promise<T[]> {
  return Promise.all(
    items.map(async (item) => {
      const { parts_ref: parts, ...fields } = item as Record<string, unknown>;
      if (typeof parts === "string") fields["parts"] = JSON.parse(await text(artifacts, tenant, parts)) as unknown;
      for (const field of TEXT_FIELDS) {
        const { [`${field}_ref`]: digest } = fields;
        if (typeof digest !== "string") continue;
        Reflect.deleteProperty(fields, `${field}_ref`);
        fields[field] = await text(artifacts, tenant, digest);
      }
      return fields as T;
    }),
  );
}

async function text(artifacts: ArtifactStore, tenant: string, digest: string): Promise<string> {
  const bytes = await artifacts.get(tenant, digest);
  if (bytes === null) throw new MainspringError("data_loss", `the content ${digest} is missing`);
  return new TextDecoder().decode(bytes);
}
