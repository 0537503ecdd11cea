import { InProcessServer, modelRouterContract, serve } from "@mainspring/contracts";
import { expect, test } from "vitest";

import { deferredClient } from "./deferred-client.ts";

test("calls are unavailable until there is a server, and reach it from then on", async () => {
  let server: InProcessServer | null = null;
  const client = deferredClient(modelRouterContract, () => server);
  expect(() => client.ListModels({})).toThrow(expect.objectContaining({ code: "unavailable" }));
  const handlers = {
    ListModels: async () => ({ models: [{ name: "m" }] }),
    Converse: async function* () {
      yield* [];
    },
  };
  server = new InProcessServer([serve(modelRouterContract, handlers)]);
  expect(await client.ListModels({})).toMatchObject({ models: [{ name: "m" }] });
});
