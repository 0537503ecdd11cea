/** Who uses the cluster: clients with random wishes, and an operator who reopens what was put aside. */
import type { Seeded } from "@mainspring/testkit";
import { cancelRun, reopenSession, submitInput } from "../../services/engine-worker/src/app/posts.ts";
import type { SubmitCommand } from "../../services/engine-worker/src/app/posts.ts";
import type { Cluster } from "./cluster.ts";
import type { Judge } from "./judge.ts";
import type { SimScript } from "./sim-model-and-tools.ts";
import type { Process } from "./world.ts";

const TOOLS = ["look", "book", "send", "move"] as const;

/** Reopens what the faults have put into quarantine. */
export function startOperator(cluster: Cluster): void {
  const process = cluster.world.spawn("operator", 0);
  const look = (): void => {
    for (const { session, status } of cluster.sessions.heads.values()) {
      if (status !== "quarantined") continue;
      cluster
        .rpc(process, "reopen", cluster.workers, (worker) => reopenSession(worker.posts, "acme", session))
        .catch(() => undefined);
    }
    cluster.world.clockOf(process).after(3_000, look);
  };
  look();
}

export interface Client {
  done: boolean;
}

/** A client talks to one session: runs with random scripts, steering, cancels. It repeats each post until acknowledged. */
export function startClient(cluster: Cluster, rng: Seeded, judge: Judge, index: number): Client {
  const { world } = cluster;
  const process = world.spawn(`client_${index}`, 0);
  const client: Client = { done: false };
  const act = async (): Promise<void> => {
    let sessionId = "";
    let runId = "";
    const posts = cluster.theme === "any" ? 1 + rng.int(4) : 8;
    for (let turn = 0; turn < posts; turn += 1) {
      await world.op(process, "client.think", () => undefined, false);
      const kind = turn === 0 ? "run" : rng.pick(WISHES[cluster.theme === "cancels" ? "cancels" : "any"]);
      if (kind === "cancel") {
        await repeat(cluster, process, (worker) =>
          cancelRun(worker.posts, { tenant: "acme", runId, reason: "enough", trace: "" }),
        );
        judge.acknowledged.add(`${sessionId}/cancel/${runId}`);
        continue;
      }
      const command = commandOf(randomScript(rng), index, turn, kind, sessionId);
      const submitted = await repeat(cluster, process, (worker) => submitInput(worker.posts, command));
      judge.acknowledged.add(`${submitted.sessionId}/input/${command.clientRunId}`);
      sessionId = submitted.sessionId;
      runId = submitted.runId;
    }
    client.done = true;
  };
  act().catch((error: unknown) => cluster.fatals.push(error));
  return client;
}

const WISHES = {
  any: ["run", "steer", "cancel"],
  cancels: ["run", "cancel", "cancel", "cancel"],
} as const;

function randomScript(rng: Seeded): SimScript {
  return Array.from({ length: rng.int(4) }, () => Array.from({ length: 1 + rng.int(3) }, () => rng.pick(TOOLS)));
}

export function commandOf(
  script: SimScript,
  index: number,
  turn: number,
  mode: "run" | "steer",
  sessionId: string,
): SubmitCommand {
  return {
    tenant: "acme",
    sessionId,
    clientRunId: `turn-${turn}`,
    mode,
    items: [{ type: "message", role: "user", text: `go ${turn}` }],
    spec: {
      agent: "sim",
      model: "sim",
      instructions: "",
      tools: [...TOOLS],
      client_tools: [],
      params: { script },
      steps_max: 20,
      echo: {},
    },
    identity: [turn, mode],
    title: "",
    idempotencyKey: `client-${index}`,
    trace: "",
  };
}

export async function repeat<T>(
  cluster: Cluster,
  process: Process,
  ask: (worker: Cluster["workers"][number]) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await cluster.rpc(process, "post", cluster.workers, ask);
    } catch {
      await new Promise<void>((resolve) => cluster.world.clockOf(process).after(300, resolve));
    }
  }
}
