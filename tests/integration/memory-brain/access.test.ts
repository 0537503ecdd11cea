/** Who gets into a Space with what, over the contract. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { ADMIN, by, cwt, FOREIGN_ADMIN, FOREIGN_KEY, KEY, SERVICE, startBrain } from "../../support/brain.ts";
import type { TestBrain } from "../../support/brain.ts";

const OWNER = by(cwt("*"));
const S = { space_id: "locked" };
let brain: TestBrain;
beforeAll(async () => {
  brain = await startBrain();
  await brain.client.CreateSpace({ ...S, user: "alice", tier: 1 }, by(ADMIN));
  await brain.client.Remember({ ...S, text: "The key is under the mat." }, by(KEY));
});
afterAll(async () => {
  expect(brain.unexpected).toEqual([]);
  await brain[Symbol.asyncDispose]();
});

let names = 0;
async function token(scope: string, more: { expires_at_ms?: number; labels?: { labels: string[] } } = {}) {
  names += 1;
  const { token } = await brain.client.AddSpaceToken({ ...S, name: ` t${names} `, scope, ...more }, OWNER);
  return { space_token: token!.token, name: token!.name };
}
const recall = (more: object) => brain.client.Recall({ ...S, query: "key mat", ...more }, {});

test("a Space of another tenant looks like a missing one", async () => {
  const missing = { code: "not_found", message: "space not found: locked" };
  for (const principal of [FOREIGN_KEY, FOREIGN_ADMIN]) {
    await expect(brain.client.GetSpace(S, by(principal))).rejects.toMatchObject(missing);
    await expect(brain.client.Remember({ ...S, text: "x" }, by(principal))).rejects.toMatchObject(missing);
    await expect(brain.client.UpdateSpaceTier({ ...S, tier: 3 }, by(principal))).rejects.toMatchObject(missing);
    await expect(brain.client.DeleteSpace(S, by(principal))).rejects.toMatchObject(missing);
  }
  await expect(brain.client.GetSpace({ space_id: "nowhere" }, by(KEY))).rejects.toMatchObject({
    code: "not_found",
    message: "space not found: nowhere",
  });
  // What is no name is not said again.
  await expect(brain.client.GetSpace({ space_id: "No Where" }, by(KEY))).rejects.toMatchObject({
    message: "space not found",
  });
  expect((await brain.client.ListSpaces({}, by(FOREIGN_KEY))).spaces).toEqual([]);
  expect((await brain.client.ListSpaces({}, by(KEY))).spaces.map(({ id }) => id)).toContain("locked");
});

test("only an admin makes Spaces, with a name that is free, fit and not reserved", async () => {
  const create = (space_id: string, principal = ADMIN) =>
    brain.client.CreateSpace({ space_id, user: "u", tier: 0 }, by(principal));
  for (const principal of [KEY, cwt("*"), SERVICE])
    await expect(create("fresh", principal)).rejects.toMatchObject({ code: "permission_denied" });
  await expect(brain.client.CreateSpace({ space_id: "fresh" }, {})).rejects.toMatchObject({ code: "unauthenticated" });
  for (const id of ["", "Upper", "a-b", "x".repeat(65), "sessions", "spaces"])
    await expect(create(id), id).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(create("locked")).rejects.toMatchObject({ code: "already_exists" });
  await expect(create("locked", FOREIGN_ADMIN)).rejects.toMatchObject({ code: "already_exists" });
  expect((await create("fresh")).space).toMatchObject({ id: "fresh", owner: "u", tier: 0, public: false, shard: 0 });
});

test("a token opens what its scope says, is shown once, and its uses are counted", async () => {
  const read = await token("read");
  expect(read.space_token).toMatch(/^ST[A-Za-z0-9+/]{27}=$/);
  expect(read.name).not.toMatch(/\s/);
  expect(await recall(read)).toMatchObject({ found: true });
  await expect(brain.client.Remember({ ...S, ...read, text: "x" }, {})).rejects.toMatchObject({
    code: "permission_denied",
  });
  const write = await token("write");
  await expect(recall(write)).rejects.toMatchObject({ code: "permission_denied" });
  expect(await brain.client.Remember({ ...S, ...write, text: "By token." }, {})).toMatchObject({ entities: ["E-2"] });
  const { tokens } = await brain.client.ListSpaceTokens(S, OWNER);
  expect(tokens.find(({ name }) => name === read.name)).toMatchObject({
    token: `${read.space_token.slice(0, 8)}…`,
    usage: 2,
    labels: null,
  });
  expect(JSON.stringify(tokens)).not.toContain(read.space_token);
  const all = await token("*");
  expect(await recall(all)).toMatchObject({ found: true });
  await expect(brain.client.ListSpaceTokens({ ...S, ...all }, {})).rejects.toMatchObject({ code: "permission_denied" });
});

test("what is written with a token is said by it, unless it says by whom", async () => {
  const write = await token("write");
  const said = async (more: object) => {
    // As the gateway passes a token on: nobody's, by the name of nobody.
    const nobody = { principal: { tenant: "", subject: "anonymous", scopes: [] } };
    const { conversation } = await brain.client.Remember({ ...S, ...write, text: "Said.", ...more }, nobody);
    const kept = await brain.client.GetConversation({ ...S, conversation }, by(KEY));
    return (JSON.parse(kept.result_json) as { readonly user: string }).user;
  };
  expect(await said({})).toBe(`st:${write.name}`);
  expect(await said({ user: "bo" })).toBe("bo");
});

test("a Space is of tier 2 unless its maker says otherwise, also 0", async () => {
  const made = async (space_id: string, more: object) =>
    (await brain.client.CreateSpace({ space_id, user: "u", ...more }, by(ADMIN))).space!.tier;
  expect([await made("usual", {}), await made("small", { tier: 0 })]).toEqual([2, 0]);
});

test("an unknown, an expired and a revoked token are unauthenticated", async () => {
  const invalid = { code: "unauthenticated", reason: "invalid_token" };
  await expect(recall({ space_token: "STnothing" })).rejects.toMatchObject(invalid);
  await expect(recall({})).rejects.toMatchObject({ code: "unauthenticated" });
  const soon = await token("read", { expires_at_ms: Date.now() + 400 });
  expect(await recall(soon)).toMatchObject({ found: true });
  await expect.poll(() => recall(soon).catch((error: unknown) => error), { timeout: 5_000 }).toMatchObject(invalid);
  const byValue = await token("read");
  const byName = await token("read");
  expect(await brain.client.RevokeSpaceToken({ ...S, token: byValue.space_token }, OWNER)).toEqual({ revoked: true });
  expect(await brain.client.RevokeSpaceToken({ ...S, name: byName.name }, OWNER)).toEqual({ revoked: true });
  expect(await brain.client.RevokeSpaceToken({ ...S, name: byName.name }, OWNER)).toEqual({ revoked: false });
  for (const revoked of [byValue, byName]) await expect(recall(revoked)).rejects.toMatchObject(invalid);
});

test("a token with labels is kept from what has no labels to go by", async () => {
  const labelled = await token("read", { labels: { labels: ["a"] } });
  const unlabelled = await token("read", { labels: { labels: [] } });
  for (const restricted of [labelled, unlabelled]) {
    const refused = { code: "permission_denied", reason: "token_restricted" };
    await expect(recall(restricted)).rejects.toMatchObject(refused);
    await expect(brain.client.ListConversations({ ...S, ...restricted }, {})).rejects.toMatchObject(refused);
    await expect(brain.client.Probe({ ...S, ...restricted, query: "mat" }, {})).rejects.toMatchObject(refused);
    const kip = { ...S, ...restricted, request_json: '"DESCRIBE PRIMER"', read_only: true };
    await expect(brain.client.ExecuteKip(kip, {})).rejects.toMatchObject(refused);
    expect((await brain.client.GetSpace({ ...S, ...restricted }, {})).space?.id).toBe(S.space_id);
  }
  await expect(token("write", { labels: { labels: ["a"] } })).rejects.toMatchObject({ code: "invalid_argument" });
});

test("wishes for tokens that cannot be granted are refused", async () => {
  await expect(token("everything")).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(token("read", { expires_at_ms: 1 })).rejects.toMatchObject({ code: "invalid_argument" });
  const add = (name: string, scope: string, principal = cwt("write")) =>
    brain.client.AddSpaceToken({ ...S, name, scope }, by(principal));
  await expect(add(" ", "read")).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(add("full", "*")).rejects.toMatchObject({ code: "permission_denied" });
  await expect(add("mine", "read", KEY)).rejects.toMatchObject({ code: "permission_denied" });
  await add("twice", "read");
  await expect(add("twice", "read")).rejects.toMatchObject({ code: "already_exists" });
});

test("a public Space is read by anybody and written by nobody in particular", async () => {
  const open = { space_id: "open" };
  await brain.client.CreateSpace({ ...open, user: "u", tier: 0 }, by(ADMIN));
  await brain.client.Remember({ ...open, text: "Everybody may know." }, by(KEY));
  await expect(brain.client.UpdateSpace({ ...open, public: true }, by(KEY))).rejects.toMatchObject({
    code: "permission_denied",
  });
  const changed = await brain.client.UpdateSpace(
    { ...open, public: true, name: "Open", description: "d" },
    by(cwt("write")),
  );
  expect(changed.space).toMatchObject({ public: true, name: "Open", description: "d" });
  expect(await brain.client.UpdateSpace({ ...open, name: "Wide" }, OWNER)).toMatchObject({
    space: { public: true, name: "Wide", description: "d" },
  });
  expect(await brain.client.Recall({ ...open, query: "know", space_token: "STwrong" }, {})).toMatchObject({
    found: true,
  });
  expect(JSON.parse((await brain.client.GetSpace(open, {})).space!.info_json)).toMatchObject({
    name: "Wide",
    public: true,
    tier: { tier: 0 },
  });
  await expect(brain.client.Remember({ ...open, text: "x" }, {})).rejects.toMatchObject({
    code: "unauthenticated",
    message: "show a credential that may write",
  });
  for (const foreign of [FOREIGN_KEY, FOREIGN_ADMIN]) {
    expect(await brain.client.Recall({ ...open, query: "know" }, by(foreign))).toMatchObject({ found: true });
    const kip = { ...open, request_json: '"LIST TYPES"', read_only: true };
    expect(await brain.client.ExecuteKip(kip, by(foreign))).toMatchObject({
      response_json: expect.stringContaining("succeeded"),
    });
    const missing = { code: "not_found", message: "space not found: open" };
    await expect(brain.client.Remember({ ...open, text: "x" }, by(foreign))).rejects.toMatchObject(missing);
    await expect(brain.client.ExecuteKip({ ...kip, read_only: false }, by(foreign))).rejects.toMatchObject(missing);
    await expect(brain.client.UpdateSpace({ ...open, name: "x" }, by(foreign))).rejects.toMatchObject(missing);
    const recalled = brain.client.ListConversations({ ...open, collection: "recall" }, by(foreign));
    await expect(recalled).rejects.toMatchObject({ code: "permission_denied" });
  }
  expect(await brain.client.ListConversations(open, {})).toMatchObject({ next_cursor: "" });
  const asked = brain.client.ListConversations({ ...open, collection: "recall" }, {});
  await expect(asked).rejects.toMatchObject({ code: "permission_denied" });
  expect(await brain.client.ListConversations({ ...open, collection: "recall" }, by(KEY))).toMatchObject({
    result_json: "[]",
  });
});

test("a shard that is named has to be the Space's own, and the refusal names that", async () => {
  expect(await brain.client.GetSpace({ ...S, shard: 0 }, by(KEY))).toMatchObject({ space: { id: "locked" } });
  await expect(brain.client.GetSpace({ ...S, shard: 3 }, by(KEY))).rejects.toMatchObject({
    code: "invalid_argument",
    reason: "wrong_shard",
    message: expect.stringContaining("shard 0"),
  });
  await expect(brain.client.MoveSpace({ ...S, shard: 3 }, by(ADMIN))).rejects.toMatchObject({
    reason: "no_such_shard",
  });
});

test("a service says for whom and by which agent it remembers; nobody else names an agent", async () => {
  const tea = { space_id: "tea" };
  await brain.client.CreateSpace({ ...tea, user: "alice", tier: 1 }, by(ADMIN));
  const asked = { ...tea, text: "Tea is at five.", user: "ana", agent: "librarian" };
  expect(await brain.client.Remember(asked, by(SERVICE))).toMatchObject({ entities: ["E-1"] });
  const { memories } = await brain.client.Recall({ ...tea, query: "tea" }, by(KEY));
  expect(memories.map(({ name, source }) => [name, source])).toEqual([["agent_statement", "ana"]]);
  await expect(brain.client.Remember(asked, by(KEY))).rejects.toMatchObject({
    code: "permission_denied",
    param: "agent",
  });
});
