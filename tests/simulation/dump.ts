/** Prints the log that a seed leaves behind: `node tests/simulation/dump.ts SEED`. */
import { simulate } from "./simulate.ts";

const result = await simulate(Number(process.argv[2]));
console.log(result.violations[0] ?? "no violation");
for (const commit of result.commits) {
  console.log(`${commit.session.slice(-4)}/${commit.n} epoch ${commit.epoch} cursor ${commit.mailCursor}`);
  for (const event of commit.events) {
    console.log(`    ${event.type} ${event.run?.slice(-4) ?? ""} ${JSON.stringify(event.data).slice(0, 200)}`);
  }
}
console.log(result.heads);
console.log(result.ledger.filter((row) => row.state !== "delivered"));
