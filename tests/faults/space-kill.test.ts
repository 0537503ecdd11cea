import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { JsonObject, KipReceipt } from "@mainspring/kip";
import { Seeded } from "@mainspring/testkit";
import type { RequestContext } from "../../services/memory-brain/src/index.ts";
import { SpaceStore } from "../../services/memory-brain/src/index.ts";

/** Kills of one run; the nightly command asks for a hundred. */
const KILLS = Number(process.env["KIP_KILLS"] ?? 5);
const SEED = Number(process.env["KIP_SEED"] ?? Date.now() % 1_000_000);
const rng = new Seeded(SEED);
const context: RequestContext = {
  caller: "checker",
  authority: { principal: "owner", actor: undefined },
  readOnly: true,
};

/** Runs the writer for a while, kills it, and gives what it had printed: every acknowledged commit. */
async function writeAndKill(file: string, salt: number): Promise<Map<number, string>> {
  const script = fileURLToPath(new URL("./space-writer.ts", import.meta.url));
  const child = spawn(process.execPath, [script, file, String(salt)], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  while (printed.split("\n").length < 100) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, rng.int(150)));
  child.kill("SIGKILL");
  await ended;
  const lines = printed.slice(0, printed.lastIndexOf("\n")).split("\n");
  return new Map(lines.map((line) => line.split(" ") as [string, string]).map(([seq, text]) => [Number(seq), text]));
}

async function rows(space: SpaceStore, command: string, parameters: JsonObject = {}): Promise<JsonObject> {
  const response = await space.execute({ kip: "2.0", operations: [{ command, parameters }] }, context);
  return response.results[0]!.result as JsonObject;
}

/** Every number from 1 to the last has one transaction. */
async function history(
  space: SpaceStore,
): Promise<{ readonly space_seq: number; readonly changes: readonly JsonObject[] }[]> {
  const found: { readonly space_seq: number; readonly changes: readonly JsonObject[] }[] = [];
  for (;;) {
    const page = await rows(space, "CHANGES AFTER SEQ :after LIMIT 1000", { after: found.length });
    found.push(...(page["transactions"] as unknown as typeof found));
    if (page["complete"] === true) return found;
  }
}

it(
  `kill -9 while four writers write, ${KILLS} times, KIP_SEED=${SEED}: every acknowledged commit is there, none half, no hole`,
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "space-kill-"));
    const file = join(directory, "s.db");
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        const acknowledged = await writeAndKill(file, kill);
        await using space = await SpaceStore.open(file, "killed", { embedder: "offline/hash" });
        const transactions = await history(space);
        expect(transactions.map((row) => row.space_seq)).toEqual(transactions.map((_, index) => index + 1));
        for (const [seq, text] of acknowledged) {
          const { receipt } = (await rows(space, "DESCRIBE TRANSACTION :id", { id: `tx-${seq}` })) as unknown as {
            receipt: KipReceipt;
          };
          expect(receipt.space_seq).toBe(seq);
          expect(
            await rows(
              space,
              'FIND(?e.payload.inline, ?a.id) WHERE { ?p (?x, "speaks", :text) ?a ASSERTION {proposition: ?p, evidence: ?e} }',
              { text },
            ),
          ).toEqual([[text, expect.stringMatching(/^A-/)]]);
        }
        // A transaction is whole: as many assertions as pieces of evidence as propositions, and all of them counted.
        const counts = await rows(
          space,
          "FIND(COUNT(DISTINCT ?a), COUNT(DISTINCT ?e), COUNT(DISTINCT ?p)) WHERE { ?a ASSERTION {proposition: ?p, evidence: ?e} }",
        );
        expect(counts).toEqual([[transactions.length, transactions.length, transactions.length]]);
        expect(await rows(space, "FIND(COUNT(?e)) WHERE { ?e EVIDENCE {} }")).toEqual([transactions.length]);
        // The index caught up with what was committed and not indexed.
        const last = [...acknowledged.values()].at(-1)!;
        expect(await rows(space, "SEARCH EVIDENCE :last LIMIT 1", { last })).toMatchObject({
          hits: [{ score: expect.any(Number) }],
          index_seq: transactions.length,
        });
        // So do vectors, from where the writer left off.
        const near = async (): Promise<string> => {
          const { hits } = (await rows(space, 'SEARCH EVIDENCE :last MODE "semantic" LIMIT 1', {
            last,
          })) as unknown as {
            hits: { element: { payload: { inline: string } } }[];
          };
          return hits[0]?.element.payload.inline ?? "";
        };
        await expect.poll(near, { timeout: 60_000 }).toBe(last);
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
  120_000 + KILLS * 60_000,
);
