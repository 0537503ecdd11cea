/** What callers do in a Space, over the contract. */
import { expect, test } from "vitest";

import { ADMIN, by, cwt, KEY, startBrain } from "../../support/brain.ts";
import type { BrainClient } from "../../support/brain.ts";

const OWNER = by(cwt("*"));
const S = { space_id: "garden" };

async function withSpace(run: (client: BrainClient) => Promise<void>): Promise<void> {
  await using brain = await startBrain();
  await brain.client.CreateSpace({ ...S, user: "alice", tier: 0 }, by(ADMIN));
  await run(brain.client);
  expect(brain.unexpected).toEqual([]);
}

async function kip(client: BrainClient, command: string, parameters: object = {}): Promise<unknown> {
  const request_json = JSON.stringify({ kip: "2.0", operations: [{ command, parameters }] });
  const { response_json } = await client.ExecuteKip({ ...S, request_json }, OWNER);
  const response = JSON.parse(response_json) as { results: { result?: unknown; error?: unknown }[]; error?: unknown };
  expect(response.error ?? response.results[0]!.error).toBeUndefined();
  return response.results[0]!.result;
}

test("what is remembered is recalled with its citation, and a repeated key answers as the first time", async () => {
  await withSpace(async (client) => {
    const said = { ...S, text: "The gate code of the garden is 4711.", user: "alice", idempotency_key: "k1" };
    const first = await client.Remember(said, by(KEY));
    expect(first).toEqual({ conversation: "1", entities: ["E-1"] });
    expect(await client.Remember(said, by(KEY))).toEqual(first);
    await expect(client.Remember({ ...said, text: "other" }, by(KEY))).rejects.toMatchObject({
      code: "already_exists",
      reason: "IdempotencyConflict",
    });
    const { found, memories, freshness } = await client.Recall({ ...S, query: "what is the gate code?" }, by(KEY));
    expect(found).toBe(true);
    expect(freshness).toEqual({ stale: false, as_of: "" });
    expect(memories[0]).toMatchObject({
      entity: "E-1",
      type: "Evidence",
      name: "user_statement",
      source: "alice",
      text: said.text,
    });
    expect(await client.Recall({ ...S, query: "submarine" }, by(KEY))).toMatchObject({ found: false, memories: [] });
    const { result_json } = await client.GetConversation({ ...S, conversation: "1" }, by(KEY));
    expect(JSON.parse(result_json)).toMatchObject({
      _id: 1,
      user: "alice",
      status: "completed",
      messages: [{ role: "user", content: said.text }],
    });
    await expect(client.GetConversation({ ...S, conversation: "2" }, by(KEY))).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

test("a long text is found by words of any part of it", async () => {
  await withSpace(async (client) => {
    const paragraphs = Array.from(
      { length: 60 },
      (_, n) => `Paragraph ${n} speaks of thing${n}. ${"filler ".repeat(60)}`,
    );
    const { entities } = await client.Remember({ ...S, text: paragraphs.join("\n\n") }, by(KEY));
    expect(entities.length).toBeGreaterThan(2);
    const { memories } = await client.Recall({ ...S, query: "thing57" }, by(KEY));
    expect(memories[0]?.text).toContain("thing57");
    expect(memories[0]!.text.length).toBeLessThanOrEqual(2_000);
  });
});

test("recall cites claims with their confidence, says what is disputed, and leaves out what is withdrawn", async () => {
  await withSpace(async (client) => {
    const made = (await kip(
      client,
      `MUTATE {
        UPSERT CONCEPT ?ann { MATCH {type: "Person", key: "ann"} SET FIELDS {name: "Ann"} }
        UPSERT CONCEPT ?bob { MATCH {type: "Person", key: "bob"} SET FIELDS {name: "Bob"} }
        ASSERT ?a (?ann, "knows", ?bob) {by: ?ann, mode: "stated", confidence: 0.9}
        ASSERT ?b (?ann, "speaks", "Basque") {by: ?ann, mode: "stated"} }`,
    )) as { handles: Record<string, string> };
    const recall = async () => (await client.Recall({ ...S, query: "Ann Basque" }, by(KEY))).memories;
    expect(await recall()).toContainEqual(
      expect.objectContaining({ type: "Proposition", text: "Ann speaks Basque", source: "Ann", confidence: 1 }),
    );
    await kip(client, 'TRANSITION :b TO "retracted"', { b: { id: made.handles["b"] } });
    expect((await recall()).some(({ text }) => text.includes("speaks"))).toBe(false);
  });
});

test("a probe remembers what it did not find until something is written", async () => {
  await withSpace(async (client) => {
    const probe = () => client.Probe({ ...S, query: "tulips" }, by(KEY));
    expect(await probe()).toMatchObject({ found: false, negative_cached: false, search_exhaustive: true });
    expect(await probe()).toMatchObject({ found: false, negative_cached: true });
    await client.Remember({ ...S, text: "We planted tulips." }, by(KEY));
    const { found, negative_cached, hits } = await probe();
    expect({ found, negative_cached }).toEqual({ found: true, negative_cached: false });
    expect(hits[0]).toMatchObject({ entity: "E-1", text: "" });
  });
});

test("pinning says whether it changed anything; forgetting leaves stubs, and a dry run leaves everything", async () => {
  await withSpace(async (client) => {
    const { entities } = await client.Remember({ ...S, text: "Forget the blue bicycle.", user: "alice" }, by(KEY));
    const [entity] = entities as [string];
    expect(await client.PinMemory({ ...S, entity, pinned: true }, by(KEY))).toEqual({
      entity,
      pinned: true,
      updated: true,
    });
    expect(await client.PinMemory({ ...S, entity, pinned: true }, by(KEY))).toMatchObject({ updated: false });
    await expect(client.PinMemory({ ...S, entity: "E-99", pinned: true }, by(KEY))).rejects.toMatchObject({
      code: "not_found",
    });
    const forget = async (dry_run: boolean) =>
      JSON.parse(
        (await client.ForgetMemory({ ...S, entities: [entity, "C-1", "E-77", "nonsense"], dry_run }, by(KEY)))
          .result_json,
      ) as unknown;
    const outcome = {
      deleted_evidence: 1,
      deleted_concepts: 1,
      entities: [
        { entity, existed: true },
        { entity: "C-1", existed: true },
        { entity: "E-77", existed: false },
        { entity: "nonsense", existed: false, error: "not an id" },
      ],
    };
    expect(await forget(true)).toMatchObject({ dry_run: true, ...outcome });
    expect((await client.Recall({ ...S, query: "bicycle" }, by(KEY))).found).toBe(true);
    expect(await forget(false)).toMatchObject({ dry_run: false, ...outcome });
    expect((await client.Recall({ ...S, query: "bicycle" }, by(KEY))).found).toBe(false);
    expect((await client.Probe({ ...S, query: "bicycle" }, by(KEY))).found).toBe(false);
    expect(await forget(false)).toMatchObject({
      deleted_evidence: 0,
      entities: [{ entity, existed: false }, {}, {}, {}],
    });
  });
});

test("an element that is referenced is not forgotten alone, and says why", async () => {
  await withSpace(async (client) => {
    await kip(
      client,
      `MUTATE { UPSERT CONCEPT ?ann { MATCH {type: "Person", key: "ann"} }
        ASSERT ?a (?ann, "speaks", "Basque") {by: ?ann, mode: "stated"} }`,
    );
    const forget = async (...entities: string[]) =>
      JSON.parse((await client.ForgetMemory({ ...S, entities }, by(KEY))).result_json) as { entities: object[] };
    expect((await forget("C-1")).entities).toEqual([
      { entity: "C-1", existed: true, error: expect.stringMatching(/^PurgeDenied/) },
    ]);
    expect(await forget("C-1", "P-1", "A-1")).toMatchObject({
      deleted_concepts: 1,
      deleted_propositions: 1,
      deleted_assertions: 1,
    });
  });
});

test("attention lists fired watches and due commitments in the order they were raised, each cursor going on", async () => {
  await withSpace(async (client) => {
    await kip(
      client,
      `MUTATE {
        UPSERT CONCEPT ?bob { MATCH {type: "Person", key: "bob"} }
        CREATE CONCEPT ?c { TYPE "Commitment" SET ATTRIBUTES {summary: "send the book", status: "pending", due_at: "2020-01-01T00:00:00.000Z", priority: 3}
          SET STRUCTURAL { ("owed_to", ?bob) } }
        CREATE CONCEPT ?d { TYPE "Commitment" SET ATTRIBUTES {summary: "done", status: "fulfilled", due_at: "2020-01-01T00:00:00.000Z"} }
        CREATE CONCEPT ?e { TYPE "Commitment" SET ATTRIBUTES {summary: "later", status: "pending", due_at: "2999-01-01T00:00:00.000Z"} }
        CREATE CONCEPT ?w { TYPE "Watch" SET ATTRIBUTES {watch_class: "silence", summary: "no news", condition: "x", status: "fired"} } }`,
    );
    const list = async (attention_cursor: string, limit = 0) =>
      JSON.parse((await client.ListAttention({ ...S, attention_cursor, limit }, by(KEY))).result_json) as {
        items: { kind: string; summary: string }[];
        attention_cursor: string;
        complete: boolean;
      };
    const all = await list("");
    expect(all).toMatchObject({
      complete: true,
      items: [
        { kind: "watch_fired", summary: "no news", raised_seq: 1, target_refs: [] },
        { kind: "commitment_due", summary: "send the book", raised_seq: 2, priority: 3, target_refs: ["C-1"] },
      ],
    });
    const first = await list("attention:start", 1);
    expect(first).toMatchObject({ complete: false, items: [{ kind: "watch_fired" }] });
    expect(await list(first.attention_cursor)).toMatchObject({ complete: true, items: [{ kind: "commitment_due" }] });
    expect(await list(all.attention_cursor)).toEqual({
      items: [],
      attention_cursor: all.attention_cursor,
      complete: true,
    });
    await expect(list("attention:x")).rejects.toMatchObject({ code: "invalid_argument", reason: "CursorInvalid" });
  });
});

test("a user's Person is made once and keeps its name where none is given; drafts are listed and promoted", async () => {
  await withSpace(async (client) => {
    const user = async (name: string) =>
      JSON.parse((await client.GetOrInitUser({ ...S, user: "carol", name }, by(KEY))).result_json) as object;
    const made = await user("Carol");
    expect(made).toMatchObject({ id: "C-1", key: "carol", name: "Carol" });
    expect(await user("")).toEqual(made);
    expect(await user("Caroline")).toMatchObject({ id: "C-1", name: "Caroline" });
    await kip(client, 'DEFINE PREDICATE "likes" {description: "d", subject: "Person", object: "Topic"}');
    const drafts = async () => JSON.parse((await client.ListDrafts(S, by(KEY))).result_json) as object;
    expect(await drafts()).toMatchObject({
      package_ref: "kip://local/draft@0.0.0",
      symbols: [{ kind: "PredicateType", name: "likes" }],
    });
    const promote = { ...S, kind: "PredicateType", from: "likes", to: "interested_in" };
    expect(JSON.parse((await client.PromoteDraft(promote, OWNER)).result_json)).toMatchObject({
      promoted: expect.stringContaining("likes"),
      to: expect.stringContaining("interested_in"),
    });
    await expect(client.PromoteDraft(promote, OWNER)).rejects.toMatchObject({ code: "invalid_argument" });
    expect(await drafts()).toMatchObject({ symbols: [{ promoted_to: expect.stringContaining("interested_in") }] });
  });
});

test("conversations are paged from the newest on, and a delta gives what came after", async () => {
  await withSpace(async (client) => {
    for (const n of [1, 2, 3]) await client.Remember({ ...S, text: `note ${n}` }, by(KEY));
    const page = async (cursor: string) => await client.ListConversations({ ...S, cursor, limit: 2 }, by(KEY));
    const first = await page("");
    const ids = (json: string) => (JSON.parse(json) as { _id: number }[]).map(({ _id }) => _id);
    expect(ids(first.result_json)).toEqual([3, 2]);
    const second = await page(first.next_cursor);
    expect({ ids: ids(second.result_json), next: second.next_cursor }).toEqual({ ids: [1], next: "" });
    const delta = async (messages_offset: number) =>
      JSON.parse(
        (await client.GetConversationDelta({ ...S, conversation: "2", messages_offset }, by(KEY))).result_json,
      ) as object;
    expect(await delta(0)).toMatchObject({ _id: 2, messages: [{ content: "note 2" }], status: "completed" });
    expect(await delta(1)).toMatchObject({ messages: [], artifacts: [] });
    await expect(client.ListConversations({ ...S, collection: "dreams" }, by(KEY))).rejects.toMatchObject({
      code: "invalid_argument",
    });
    const status = JSON.parse((await client.GetFormationStatus(S, by(KEY))).result_json) as object;
    expect(status).toMatchObject({ conversations: 3, formation_processed_id: 3, formation_processing: false });
  });
});

test("a full Space takes no new text, and everything else", async () => {
  await withSpace(async (client) => {
    for (let from = 0; from < 100; from += 25) {
      const names = Array.from({ length: 25 }, (_, n) => `CREATE CONCEPT ?c${n} { TYPE "Topic" NAME "t${from + n}" }`);
      await kip(client, `MUTATE { ${names.join(" ")} }`);
    }
    await expect(client.Remember({ ...S, text: "one more" }, by(KEY))).rejects.toMatchObject({
      code: "resource_exhausted",
      message: expect.stringContaining(`mainspring space update ${S.space_id} --tier 1`),
    });
    await kip(client, 'CREATE CONCEPT ?c { TYPE "Topic" NAME "beyond" }');
    await client.UpdateSpaceTier({ ...S, tier: 1 }, by(ADMIN));
    expect(await client.Remember({ ...S, text: "one more" }, by(KEY))).toMatchObject({ conversation: "1" });
  });
});

test("KIP writes are recorded with who made them, and a request that is no JSON is refused", async () => {
  await withSpace(async (client) => {
    await kip(client, 'CREATE CONCEPT ?c { TYPE "Topic" NAME "x" }');
    expect(await kip(client, "DESCRIBE TRANSACTION :id", { id: "tx-1" })).toMatchObject({
      receipt: { origin: { principal: "owner", caller: "alice" } },
    });
    const bare = await client.ExecuteKip(
      { ...S, request_json: JSON.stringify("FIND(?x.name) WHERE { ?x CONCEPT {} }"), read_only: true },
      by(KEY),
    );
    expect(JSON.parse(bare.response_json)).toMatchObject({ status: "succeeded", results: [{ result: ["x"] }] });
    const refused = await client.ExecuteKip(
      { ...S, request_json: '"CREATE CONCEPT ?c { TYPE \\"Topic\\" }"', read_only: true },
      by(KEY),
    );
    expect(JSON.parse(refused.response_json)).toMatchObject({ results: [{ error: { code: "ReadonlyViolation" } }] });
    await expect(client.ExecuteKip({ ...S, request_json: "{" }, OWNER)).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});
