/** Prints the log that a seed leaves behind: `node tests/simulation/dump.ts SEED`. */
import { simulate } from "./simulate.ts";
const r = await simulate(Number(process.argv[2]));
console.log(r.violations[0]);
for (const c of r.commits!)
  console.log(
    c.session.slice(-4),
    c.n,
    c.epoch,
    c.mailCursor,
    c.events
      .map(
        (e: any) =>
          e.type +
          ":" +
          (e.run ?? "").slice(-4) +
          ":" +
          JSON.stringify(
            e.data.call_id?.slice(-4) ??
              e.data.input_id?.slice(-4) ??
              e.data.items?.map((i: any) => i.call_id?.slice(-4)) ??
              "",
          ),
      )
      .join(" | "),
  );
console.log(
  r.heads,
  r.ledger.filter((x) => x.state !== "delivered"),
);
