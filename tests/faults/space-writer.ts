/** Writes random claims into a Space until it is killed, and prints the number of each commit after it is acknowledged. */
import type { RequestContext } from "../../services/memory-brain/src/index.ts";
import { SpaceStore } from "../../services/memory-brain/src/index.ts";

const [file, salt] = process.argv.slice(2) as [string, string];
const context: RequestContext = {
  caller: "writer",
  authority: { principal: "owner", actor: undefined },
  readOnly: false,
};
const space = await SpaceStore.open(file, "killed", { embedder: "offline/hash" });

const CLAIM = `MUTATE {
  UPSERT CONCEPT ?a { MATCH {type: "Person", key: :key} SET FIELDS {name: :name} }
  CREATE EVIDENCE ?e { SET FIELDS {evidence_class: "message", payload: :text} }
  ASSERT ?x (?a, "speaks", :text) {by: ?a, mode: "stated", evidence: ?e} }`;

async function writer(lane: number): Promise<never> {
  for (let n = 0; ; n++) {
    const text = `word${salt}x${lane}x${n}`;
    const parameters = { key: `p${lane}-${n % 50}`, name: text, text };
    const response = await space.execute(
      { kip: "2.0", operations: [{ command: CLAIM, parameters, idempotency_key: text }] },
      context,
    );
    const receipt = response.results[0]?.receipt;
    if (receipt === undefined) throw new Error(JSON.stringify(response));
    process.stdout.write(`${receipt.space_seq} ${text}\n`);
  }
}

await Promise.all([0, 1, 2, 3].map(writer));
