import { evalRunnerContract, InProcessServer } from "@mainspring/contracts";
import { expect, test } from "vitest";

import type { PublicServicesPorts } from "./public-services.ts";
import { publicServices } from "./public-services.ts";

function evals(identify: PublicServicesPorts["identities"]["identify"]) {
  const ports = { engine: {}, memory: {}, evals: null, identities: { identify }, spaceIdentities: {}, admission: {} };
  const services = publicServices(ports as unknown as PublicServicesPorts);
  return new InProcessServer(services).connect(evalRunnerContract);
}

test("where nothing runs experiments callers are told so, and strangers are not", async () => {
  const known = evals(async () => ({ tenant: "acme", subject: "key_1", scopes: [] }));
  const missing = { code: "unimplemented", reason: "no_eval_runner" };
  await expect(known.ListExperiments({ page_size: 1 })).rejects.toMatchObject(missing);
  const watch = known.WatchExperiment({ experiment_id: "x" })[Symbol.asyncIterator]();
  await expect(watch.next()).rejects.toMatchObject(missing);
  const unknown = evals(() => Promise.reject(new Error("no key")));
  await expect(unknown.ListExperiments({ page_size: 1 })).rejects.toMatchObject({ code: "internal" });
});
