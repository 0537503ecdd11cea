import { InProcessServer, memoryBrainContract, serve } from "@mainspring/contracts";
import type { MemoryBrainHandlers } from "@mainspring/contracts";
import { expect, test } from "vitest";

import { GrpcMemoryApi } from "./grpc-memory-api.ts";

const caller = { tenant: "t", subject: "ana", scopes: ["admin"], traceparent: "", spaceToken: "", shard: null };

/** Spaces over handlers of which only loading is asked for. */
function loading(LoadSpace: MemoryBrainHandlers["LoadSpace"]): GrpcMemoryApi {
  const others = new Proxy({ LoadSpace } as MemoryBrainHandlers, {
    get: (own, name) => Reflect.get(own, name) ?? (() => Promise.reject(new Error("not asked for"))),
  });
  return new GrpcMemoryApi(new InProcessServer([serve(memoryBrainContract, others)]).connect(memoryBrainContract));
}

async function* frames(end: () => void): AsyncGenerator<Uint8Array> {
  yield new Uint8Array([1, 2]);
  yield new Uint8Array([3]);
  end();
}

test("a load names the Space first, then sends its bytes in order", async () => {
  const seen: unknown[] = [];
  const memory = loading(async function* (requests) {
    for await (const { space_id, user, data } of requests) seen.push([space_id, user, [...data]]);
    yield { space: { id: "notes", owner: "bo", info_json: '{"concepts":2}' } };
  });
  const { signal } = new AbortController();
  const space = await memory.loadSpace(
    caller,
    "notes",
    "bo",
    frames(() => undefined),
    signal,
  );
  expect(space).toMatchObject({ id: "notes", owner: "bo", details: { concepts: 2 } });
  expect(seen).toEqual([
    ["notes", "bo", []],
    ["", "", [1, 2]],
    ["", "", [3]],
  ]);
});

test("bytes that break off are never taken for a whole dump", async () => {
  const outcome = Promise.withResolvers<string>();
  const memory = loading(async function* (requests) {
    try {
      for await (const _ of requests);
      outcome.resolve("a whole dump");
    } catch {
      outcome.resolve("broken off");
    }
    yield* [];
  });
  const breaking = frames(() => {
    throw new Error("the client is gone");
  });
  const { signal } = new AbortController();
  await expect(memory.loadSpace(caller, "notes", "bo", breaking, signal)).rejects.toThrow("the client is gone");
  expect(await outcome.promise).toBe("broken off");
});
