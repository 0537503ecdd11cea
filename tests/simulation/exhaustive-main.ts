/** `node tests/simulation/exhaustive-main.ts [--deviations D] [--share I/N]` prints schedules run and what failed. */
import { parseArgs } from "node:util";
import { explore } from "./exhaustive.ts";

const { values } = parseArgs({
  options: { deviations: { type: "string", default: "2" }, share: { type: "string", default: "0/1" } },
});
const [index, of] = values.share.split("/").map(Number) as [number, number];
const result = await explore(Number(values.deviations), { index, of });
for (const failure of result.failures.slice(0, 5))
  console.error(`${failure.violation}\n  schedule ${failure.schedule}`);
console.log(JSON.stringify({ schedules: result.schedules, failed: result.failures.length }));
process.exit(result.failures.length === 0 ? 0 : 1);
