/** The trace of a run whose worker was killed in the middle is whole: the span that died is sent by who took over. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { withServer } from "../support/adapters.ts";
import { Deployment } from "../support/deployment.ts";
import { api, readToEnd, startRun } from "../support/run-reader.ts";
import { chainOf, traceOfRun } from "../support/traces.ts";
import type { Span } from "../support/traces.ts";
import { Witness, WITNESS_TOOLS_DIR } from "../support/witness.ts";

const { redis, mongo } = inject("servers");

withServer("traces of a deployment", redis.url === null ? redis : mongo, () => {
  let witness: Witness;
  let deployment: Deployment;

  beforeAll(async () => {
    witness = await Witness.start();
    deployment = await Deployment.start({ toolsDir: WITNESS_TOOLS_DIR, environment: { WITNESS_URL: witness.url } });
  }, 180_000);
  afterAll(async () => {
    await deployment.stop();
    await witness.stop();
  });

  test("memory lies in it too, in whichever shard", { timeout: 60_000 }, async () => {
    const { url } = deployment;
    for (const [shard, space] of ["first", "second"].entries()) {
      expect((await api(url, "/v1/spaces", { id: space, shard })).status).toBe(201);
      const agent = { name: space, model: "offline/extractive", memory: space };
      expect((await api(url, "/v1/agents", agent)).status).toBe(201);
      const response = await api(url, "/v1/responses", { model: `agent/${space}`, input: "Who is Ana?" });
      expect(response.status).toBe(200);
      const isRecall = ({ name }: Span): boolean => name.endsWith("MemoryBrainService/Recall");
      const names = ["mainspring.memory_brain.v1.MemoryBrainService/Recall", "POST /v1/responses"];
      const spans = await traceOfRun(url, response.headers.get("x-mainspring-run")!, names);
      for (const recall of spans.filter(isRecall)) {
        expect(chainOf(spans, recall).filter((name) => !name.startsWith("memory-brain"))).toEqual([
          "tool-runner: execute_tool memory_recall",
          `engine-worker: invoke_agent ${space}`,
          "gateway: POST /v1/responses",
        ]);
      }
    }
  });

  const activations = (spans: readonly Span[]): Span[] => spans.filter(({ name }) => name === "invoke_agent script");

  test("one parent chain through all processes, also over the death of a worker", { timeout: 120_000 }, async () => {
    const { url } = deployment;
    const input = [
      'call witness_never {"id":"held","hold":true}',
      "then",
      'call witness_safe {"id":"after"}',
      "then",
      "say done",
    ];
    const id = await startRun(url, input.join("\n"), "traced");
    await witness.seen("held");
    const run = id.replace("resp_", "run_");
    const holder = await deployment.holderOf(run);
    await deployment.killAndRestart(holder);
    witness.release();
    expect((await readToEnd(() => url, id)).at(-1)!.type).toBe("response.completed");

    const spans = await traceOfRun(url, run, [
      ...["POST /v1/responses", "invoke_agent script", "invoke_agent script"],
      ...["execute_tool witness_never", "execute_tool witness_safe", "chat script", "chat script", "chat script"],
    ]);
    const [dead, next] = activations(spans);
    expect([dead!.status, next!.status]).toEqual(["error", "unset"]);
    expect(next!.links.map(({ span_id }) => span_id)).toEqual([dead!.span_id]);
    const above = ["engine-worker: invoke_agent script", "gateway: POST /v1/responses"];
    const chains = spans.map((span) => chainOf(spans, span));
    for (const name of ["model-router: chat script", "tool-runner: execute_tool witness_safe"])
      expect(chains.filter(([first]) => first === name).map(([, ...rest]) => rest)).toContainEqual(above);
    const held = spans.find(({ name }) => name === "execute_tool witness_never")!;
    expect(held.parent_span_id).toBe(dead!.span_id);
    expect(spans.filter(({ parent_span_id }) => parent_span_id === null)).toHaveLength(1);
    expect((await api(url, `/v1/runs/${run}`)).status).toBe(200);
  });
});
