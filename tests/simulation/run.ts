/** `node tests/simulation/run.ts [--seed N] [--from N] [--count N] [--history]`: runs seeds, prints what failed. */
import { parseArgs } from "node:util";
import { simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    history: { type: "boolean", default: false },
    "stop-at-first": { type: "boolean", default: false },
  },
});
const from = values.seed === undefined ? Number(values.from) : Number(values.seed);
const count = values.seed === undefined ? Number(values.count) : 1;
let failed = 0;
let steps = 0;
const faults: Record<string, number> = {};
for (let seed = from; seed < from + count; seed += 1) {
  const result = await simulate(seed);
  steps += result.steps;
  for (const [point, times] of result.faultCounts) faults[point] = (faults[point] ?? 0) + times;
  if (result.violations.length === 0) continue;
  failed += 1;
  if (failed <= 5) console.error(`seed ${seed}: ${result.violations[0]}`);
  if (values.history) console.error(result.history.join("\n"));
  if (values["stop-at-first"]) break;
}
console.log(JSON.stringify({ seeds: count, failed, steps, faults }));
process.exit(failed === 0 ? 0 : 1);
