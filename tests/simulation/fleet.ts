/** Runs a range of seeds in child processes, one per core, each a share of the range. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

export interface FleetResult {
  readonly seeds: number;
  readonly failed: number;
  readonly steps: number;
  /** Lines that name a failing seed and what it broke. */
  readonly failures: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
}

/** `script` is the path of a `run.ts` (the real one or a copy with a bug planted). */
export async function runFleet(
  script: string,
  from: number,
  count: number,
  stopAtFirst: boolean,
): Promise<FleetResult> {
  const shares = Math.min(2, availableParallelism());
  const size = Math.ceil(count / shares);
  const parts = await Promise.all(
    Array.from({ length: shares }, (_, index) => runPart(script, from + index * size, size, stopAtFirst)),
  );
  const faults: Record<string, number> = {};
  for (const part of parts) {
    for (const [point, times] of Object.entries(part.faults)) faults[point] = (faults[point] ?? 0) + times;
  }
  return {
    seeds: parts.reduce((sum, part) => sum + part.seeds, 0),
    failed: parts.reduce((sum, part) => sum + part.failed, 0),
    steps: parts.reduce((sum, part) => sum + part.steps, 0),
    failures: parts.flatMap((part) => part.failures),
    faults,
  };
}

function runPart(script: string, from: number, count: number, stopAtFirst: boolean): Promise<FleetResult> {
  const args = [script, "--from", String(from), "--count", String(count), ...(stopAtFirst ? ["--stop-at-first"] : [])];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => (out += String(chunk)));
    child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
    child.on("error", reject);
    child.on("close", () => {
      const line = out.trim().split("\n").at(-1) ?? "";
      if (!line.startsWith("{")) return reject(new Error(`the simulation gave no result: ${err.slice(0, 2000)}`));
      const result = JSON.parse(line) as Omit<FleetResult, "failures">;
      resolve({ ...result, failures: err.split("\n").filter((text) => text.startsWith("seed ")) });
    });
  });
}
