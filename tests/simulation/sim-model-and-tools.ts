/** A model that follows the script in its run's parameters, and tools whose effects a witness counts. */
import type { ToolDefinition } from "../../services/engine-worker/src/ports/tool-client.ts";
import type { ModelClient, ModelResult } from "../../services/engine-worker/src/ports/model-client.ts";
import type { TranscriptItem } from "../../services/engine-worker/src/domain/items.ts";
import type { ToolExecutor } from "../../services/tool-runner/src/ports/tool-executor.ts";
import type { Cluster } from "./cluster.ts";
import type { Process } from "./world.ts";

const tool = (name: string, recovery: ToolDefinition["recovery"], exclusive = false): [string, ToolDefinition] => [
  name,
  { name, description: name, parameters: {}, recovery, exclusive },
];

export const SIM_TOOLS: ReadonlyMap<string, ToolDefinition> = new Map([
  tool("look", "replay_safe"),
  tool("book", "idempotent"),
  tool("send", "never_retry"),
  tool("move", "never_retry", true),
]);

/** Rounds of tool names that the model asks for, one round a step. */
export type SimScript = readonly (readonly string[])[];

export function simModels(cluster: Cluster, process: Process): ModelClient {
  const { world, rng, judge } = cluster;
  return {
    open: (spec) => ({
      async generate(items, { requestId }, onDelta, signal): Promise<ModelResult> {
        const script = spec.params["script"] as SimScript;
        await world.op(process, "model.start", () => judge.modelStarted(requestId, items), false);
        onDelta({ item: 0, kind: "text", text: "working", callId: "", name: "" });
        const flaky = await world.op(process, "model.finish", () => rng.chance(judge.calm ? 0 : 0.1), false);
        if (signal.aborted) return { kind: "failed", code: "aborted", message: "stopped", retryable: false };
        if (flaky) return { kind: "failed", code: "unavailable", message: "overloaded", retryable: true };
        return answer(items, script);
      },
      close: () => undefined,
    }),
  };
}

function answer(items: readonly TranscriptItem[], script: SimScript): ModelResult {
  const start = items.findLastIndex(
    (item) => item.type === "message" && item.role === "user" && item.text.startsWith("go"),
  );
  const round = items.slice(start).filter((item) => item.type === "message" && item.role === "assistant").length;
  const names = script[round] ?? [];
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 };
  const calls = names.map((name) => ({
    type: "function_call" as const,
    call_id: "",
    name,
    arguments: `{"round":${round}}`,
  }));
  const text = { type: "message" as const, role: "assistant" as const, text: "working on it" };
  return { kind: "completed", items: [text, ...calls], usage, finish: "stop", servedBy: "sim" };
}

export function simExecutor(cluster: Cluster, process: Process, runner: string): ToolExecutor {
  const { world, rng, judge } = cluster;
  const nothing = { artifact: "", outputBytes: 0, durationMs: 0 };
  return {
    async execute(request, signal) {
      const done = await world.op(
        process,
        "tool.effect",
        () => {
          if (signal.aborted) return false;
          judge.effect(request, runner);
          return true;
        },
        false,
      );
      if (!done) return { outcome: "cancelled", output: "stopped in time", ...nothing };
      // Some work takes its time, so that deaths and cancels find it under way.
      const slow = rng.chance(cluster.theme === "any" ? 0.5 : 1);
      if (slow) await new Promise<void>((resolve) => world.clockOf(process).after(rng.int(4_000), resolve));
      await world.op(process, "tool.finish", () => undefined, false);
      if (signal.aborted) return { outcome: "cancelled", output: "stopped", ...nothing };
      return { outcome: "completed", output: `out:${request.call}:${request.attempt}`, ...nothing };
    },
  };
}
