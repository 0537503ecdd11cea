/** How fast things stop, and go on. */
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

import type { Deployment } from "../../support/deployment.ts";
import { api, readToEnd } from "../../support/run-reader.ts";

/** Milliseconds from asking for a cancel until the tool's process is gone. */
export async function cancelTimes(url: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    // A duration that nothing else on the machine sleeps for finds the process again.
    const marker = `${70_000 + index}.125`;
    const body = { model: "agent/script", background: true, input: `call shell {"command":"sleep ${marker}"}` };
    const { id } = (await (await api(url, "/v1/responses", body)).json()) as { id: string };
    while (!isRunning(marker)) await pause(10);
    const started = performance.now();
    const cancelled = api(url, `/v1/responses/${id}/cancel`, {});
    while (isRunning(marker)) await pause(5);
    times.push(performance.now() - started);
    await cancelled;
  }
  return times;
}

function isRunning(marker: string): boolean {
  try {
    execFileSync("pgrep", ["-f", `^sleep ${marker}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds from SIGKILL of the worker that holds a run until the run has a new event. */
export async function failoverTimes(deployment: Deployment, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { model: "agent/script", background: true, input: "say begun\nwait 600000\nsay never" };
    const { id } = (await (await api(deployment.url, "/v1/responses", body)).json()) as { id: string };
    const session = await heldSession(deployment, id);
    const events = `/v1/sessions/${session}/events?limit=1000`;
    const seen = (await (await api(deployment.url, events)).json()) as { last_seq: number };
    const holder = await deployment.holderOf(id.replace("resp_", "run_"));
    const started = performance.now();
    await deployment.process(holder).kill("SIGKILL");
    for (;;) {
      const answer = await api(deployment.url, `${events}&after=${seen.last_seq}`).catch(() => null);
      if (answer?.ok === true && ((await answer.json()) as { data: unknown[] }).data.length > 0) break;
      await pause(20);
    }
    times.push(performance.now() - started);
    await deployment.startMember(holder);
    await api(deployment.url, `/v1/responses/${id}/cancel`, {});
    await readToEnd(() => deployment.url, id);
  }
  return times;
}

async function heldSession(deployment: Deployment, id: string): Promise<string> {
  for (;;) {
    const run = (await (await api(deployment.url, `/v1/runs/${id.replace("resp_", "run_")}`)).json()) as {
      status: string;
      session_id: string;
    };
    if (run.status === "running") return run.session_id;
    await pause(20);
  }
}
