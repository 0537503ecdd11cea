/** The memory routes over a real server: what each answers, and whom it lets in. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { newKeyPair, signCwt } from "@mainspring/gateway/cwt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";

// The shape differs by route; each test states what it expects of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

const pair = newKeyPair();
const stranger = newKeyPair();
let server: EmbeddedServer;
let dataDir: string;

/** A CWT; `life`: seconds from now. */
function cwt(subject: string, audience: string, scope: "read" | "write" | "*", life = 600, key = pair): string {
  const now = Math.floor(Date.now() / 1000);
  return signCwt({ subject, audience, scope, expiresAtS: now + life, issuedAtS: now }, key.privateKey);
}

async function send(method: string, path: string, credential: string, body?: unknown, headers = {}): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(credential === "" ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, headers: response.headers, body: type.includes("json") ? JSON.parse(text) : text };
}

/** Who calls, by name. */
const credentials: Record<string, string> = {
  nobody: "",
  admin: ADMIN_KEY,
  nonsense: "nonsense",
  "forged CWT": cwt("ana", "*", "*", 600, stranger),
  "expired CWT": cwt("ana", "notes", "*", -1),
  "CWT of another Space": cwt("ana", "plans", "*"),
  "read CWT": cwt("ana", "notes", "read"),
  "write CWT": cwt("ana", "notes", "write"),
  "owner's CWT": cwt("ana", "notes", "*"),
  "CWT of every Space": cwt("ana", "*", "*"),
  "manager's CWT": cwt("root", "*", "*"),
};

async function addToken(name: string, fields: object): Promise<void> {
  const path = "/v1/notes/management/add_space_token";
  const added = await send("POST", path, credentials["owner's CWT"]!, { name, ...fields });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  credentials[name] = added.body.result.token;
}

async function addKey(name: string, fields: object): Promise<void> {
  const { body } = await send("POST", "/v1/keys", ADMIN_KEY, { name, ...fields });
  credentials[name] = body.key;
}

const KIP_PERSON = 'CREATE CONCEPT ?p { TYPE "Person" NAME "Ana" }';
const kip = (command: string, more = {}): object => ({ kip: "2.0", operations: [{ command }], ...more });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-spaces-"));
  server = await startUp(dataDir, { ED25519_PUBKEYS: `${newKeyPair().publicKey},${pair.publicKey}`, MANAGERS: "root" });
  await addKey("key of the tenant", {});
  await addKey("key that only reads", { scopes: ["space:read"] });
  await addKey("key of another tenant", { tenant: "acme" });
  await addKey("admin key of another tenant", { tenant: "acme", scopes: ["admin"] });
  await addKey("revoked key", {});
  const { body } = await send("GET", "/v1/keys", ADMIN_KEY);
  const revoked = body.data.find((key: { name: string }) => key.name === "revoked key");
  expect((await send("DELETE", `/v1/keys/${revoked.id}`, ADMIN_KEY)).status).toBe(204);
  for (const space_id of ["notes", "open"]) {
    const made = await send("POST", "/admin/create_space", ADMIN_KEY, { user: "ana", space_id, tier: 1 });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  }
  // The first concept, C-1, for the rows below.
  const person = await send("POST", "/v1/notes/get_or_init_user", ADMIN_KEY, { user: "ana" });
  expect(person.body.result.id).toBe("C-1");
  const open = await send("PATCH", "/v1/open/management/update_space", ADMIN_KEY, { public: true });
  expect(open.body).toEqual({ result: true });
  const first = await send("POST", "/v1/spaces/notes/memories", ADMIN_KEY, { text: "Ana drinks tea." });
  expect(first.body.conversation).toBe("1");
  await addToken("read token", { scope: "read" });
  await addToken("write token", { scope: "write" });
  await addToken("full token", { scope: "*" });
  await addToken("labelled token", { scope: "read", labels: [] });
  await addToken("expiring token", { scope: "read", expires_at: Date.now() + 1_500 });
  await addToken("revoked token", { scope: "*" });
  const gone = { name: "revoked token" };
  expect((await send("POST", "/v1/notes/management/revoke_space_token", ADMIN_KEY, gone)).body).toEqual({
    result: true,
  });
});

afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

interface Row {
  readonly method: string;
  readonly path: string;
  /** A function makes another one for each call. */
  readonly body?: unknown;
  readonly accepts: readonly string[];
  /** By status. */
  readonly refuses: Readonly<Record<number, readonly string[]>>;
  /** What who is accepted gets; 200 when absent. */
  readonly status?: number;
}

const READERS = [
  "admin",
  "read CWT",
  "owner's CWT",
  "key of the tenant",
  "key that only reads",
  "read token",
  "full token",
];
const NO_CREDENTIAL = [
  "nobody",
  "nonsense",
  "forged CWT",
  "expired CWT",
  "CWT of another Space",
  "revoked token",
  "revoked key",
];
const FOREIGN = ["key of another tenant", "admin key of another tenant"];
const NO_READERS = { 401: NO_CREDENTIAL, 403: ["write CWT", "write token"], 404: FOREIGN };
const WRITERS = ["admin", "write CWT", "owner's CWT", "key of the tenant", "write token", "full token"];
const NO_WRITERS = {
  401: NO_CREDENTIAL,
  403: ["read CWT", "key that only reads", "read token", "labelled token"],
  404: FOREIGN,
};
/** A Space token is of no use where only a CWT counts, whether it is valid or not. */
const NO_CWT = NO_CREDENTIAL.filter((who) => who !== "revoked token");
const MANAGERS = ["admin", "write CWT", "owner's CWT", "CWT of every Space", "manager's CWT"];
const NO_MANAGERS = {
  401: NO_CWT,
  403: ["read CWT", "key of the tenant", "full token", "revoked token"],
  404: FOREIGN,
};
const ADMINS = ["admin", "manager's CWT"];
const NO_ADMINS = {
  401: NO_CREDENTIAL,
  403: ["owner's CWT", "key of the tenant"],
  404: ["admin key of another tenant"],
};
const UNLABELLED = { ...NO_READERS, 403: [...NO_READERS[403], "labelled token"] };

const ROWS: readonly Row[] = [
  { method: "GET", path: "/v1/notes/info", accepts: [...READERS, "labelled token"], refuses: NO_READERS },
  { method: "GET", path: "/v1/notes/status", accepts: READERS, refuses: NO_READERS },
  { method: "GET", path: "/v1/spaces/notes", accepts: READERS, refuses: NO_READERS },
  { method: "GET", path: "/v1/notes/formation_status", accepts: READERS, refuses: NO_READERS },
  { method: "POST", path: "/v1/notes/probe", body: { query: "tea" }, accepts: READERS, refuses: UNLABELLED },
  { method: "GET", path: "/v1/notes/memory/attention?limit=5", accepts: READERS, refuses: UNLABELLED },
  { method: "GET", path: "/v1/notes/schema/drafts", accepts: READERS, refuses: UNLABELLED },
  {
    method: "POST",
    path: "/v1/notes/execute_kip_readonly",
    body: '"DESCRIBE PRIMER"',
    accepts: READERS,
    refuses: UNLABELLED,
  },
  { method: "GET", path: "/v1/notes/conversations", accepts: READERS, refuses: UNLABELLED },
  { method: "GET", path: "/v1/notes/conversations/1", accepts: READERS, refuses: UNLABELLED },
  { method: "GET", path: "/v1/notes/conversations/1/delta", accepts: READERS, refuses: UNLABELLED },
  { method: "GET", path: "/v1/spaces/notes/memories?query=tea", accepts: READERS, refuses: UNLABELLED },
  {
    method: "POST",
    path: "/v1/notes/memory/pin",
    body: { entity: "C-1", pinned: true },
    accepts: WRITERS,
    refuses: NO_WRITERS,
  },
  {
    method: "POST",
    path: "/v1/notes/memory/forget",
    body: { entities: ["C-999"], dry_run: true },
    accepts: WRITERS,
    refuses: NO_WRITERS,
  },
  { method: "POST", path: "/v1/notes/get_or_init_user", body: { user: "ana" }, accepts: WRITERS, refuses: NO_WRITERS },
  {
    method: "POST",
    path: "/v1/spaces/notes/memories",
    body: { text: "Ana drinks green tea." },
    accepts: WRITERS,
    refuses: NO_WRITERS,
    status: 201,
  },
  {
    method: "POST",
    path: "/v1/notes/execute_kip",
    body: kip("DESCRIBE PRIMER"),
    accepts: ["admin", "owner's CWT", "CWT of every Space", "manager's CWT"],
    refuses: { 401: NO_CWT, 403: ["write CWT", "key of the tenant", "full token", "revoked token"], 404: FOREIGN },
  },
  {
    method: "POST",
    path: "/v1/notes/schema/promote",
    body: { kind: "PredicateType", from: "no_such_draft", to: "knows" },
    accepts: MANAGERS,
    refuses: NO_MANAGERS,
    status: 400,
  },
  {
    method: "POST",
    path: "/v1/notes/management/add_space_token",
    body: () => ({ name: `token ${randomUUID()}`, scope: "read" }),
    accepts: MANAGERS,
    refuses: NO_MANAGERS,
  },
  {
    method: "POST",
    path: "/v1/spaces/notes/move",
    body: { shard: 9 },
    accepts: ADMINS,
    refuses: NO_ADMINS,
    // There is no such shard.
    status: 409,
  },
  { method: "GET", path: "/v1/notes/management/space_tokens", accepts: MANAGERS, refuses: NO_MANAGERS },
  {
    method: "POST",
    path: "/v1/notes/management/revoke_space_token",
    body: { name: "no such token" },
    accepts: MANAGERS,
    refuses: NO_MANAGERS,
  },
  {
    method: "PATCH",
    path: "/v1/notes/management/update_space",
    body: { description: "What Ana knows." },
    accepts: MANAGERS,
    refuses: NO_MANAGERS,
  },
  { method: "POST", path: "/admin/notes/update_space_tier", body: { tier: 2 }, accepts: ADMINS, refuses: NO_ADMINS },
  { method: "DELETE", path: "/v1/spaces/notes", accepts: [], refuses: NO_ADMINS },
  { method: "POST", path: "/v1/spaces/notes/verify", accepts: ADMINS, refuses: NO_ADMINS },
  { method: "GET", path: "/v1/spaces/notes/dump", accepts: ADMINS, refuses: NO_ADMINS },
];

const made = (body: unknown): unknown => (typeof body === "function" ? (body as () => unknown)() : body);

describe.each(ROWS)("$method $path", ({ method, path, body, accepts, refuses, status = 200 }) => {
  test.each(accepts)("lets in: %s", async (who) => {
    const answer = await send(method, path, credentials[who]!, made(body));
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  });

  const refused = Object.entries(refuses).flatMap(([code, whos]) => whos.map((who) => [who, Number(code)] as const));
  test.each(refused)("refuses: %s (%i)", async (who, code) => {
    const answer = await send(method, path, credentials[who]!, made(body));
    expect(answer.status, JSON.stringify(answer.body)).toBe(code);
    expect(answer.body.error?.message ?? answer.body.detail).toEqual(expect.any(String));
  });
});

describe("a public Space", () => {
  const reads = [
    ["GET", "/v1/open/info"],
    ["GET", "/v1/open/status"],
    ["GET", "/v1/open/formation_status"],
    ["GET", "/v1/open/memory/attention"],
    ["GET", "/v1/open/schema/drafts"],
    ["GET", "/v1/open/conversations"],
    ["GET", "/v1/spaces/open/memories?query=tea"],
    ["GET", "/v1/spaces/open"],
  ] as const;
  test.each(reads)("is read by anybody: %s %s", async (method, path) => {
    expect((await send(method, path, "")).status).toBe(200);
    expect((await send(method, path, credentials["revoked token"]!)).status).toBe(200);
  });

  test("is searched by anybody, and written by nobody unknown", async () => {
    expect((await send("POST", "/v1/open/execute_kip_readonly", "", '"LIST TYPES"')).body.status).toBe("succeeded");
    expect((await send("POST", "/v1/open/probe", "", { query: "tea" })).status).toBe(200);
    expect((await send("POST", "/v1/open/get_or_init_user", "", { user: "bo" })).status).toBe(401);
    expect((await send("GET", "/v1/open/conversations?collection=recall", "")).status).toBe(403);
  });

  test("is read with another tenant's keys as with none, and written with them as one that is not there", async () => {
    for (const who of FOREIGN) {
      for (const [method, path] of reads) expect((await send(method, path, credentials[who]!)).status, path).toBe(200);
      const written = await send("POST", "/v1/spaces/open/memories", credentials[who]!, { text: "x" });
      expect(written).toMatchObject({ status: 404, body: { detail: "space not found: open" } });
    }
    const unknown = await send("POST", "/v1/spaces/open/memories", "", { text: "x" });
    expect(unknown).toMatchObject({ status: 401, body: { detail: "show a credential that may write" } });
  });
});

describe("tokens", () => {
  test("are listed by their beginning, with how often they were used, and expire", async () => {
    const { body } = await send("GET", "/v1/notes/management/space_tokens", ADMIN_KEY);
    const read = body.result.find(({ name }: { name: string }) => name === "read token");
    expect(read.token).toBe(`${credentials["read token"]!.slice(0, 8)}…`);
    expect(read.usage).toBeGreaterThan(0);
    expect(body.result.find(({ name }: { name: string }) => name === "labelled token").labels).toEqual([]);
    const expiring = credentials["expiring token"]!;
    await expect
      .poll(async () => (await send("GET", "/v1/notes/info", expiring)).status, { timeout: 10_000 })
      .toBe(401);
  });

  test("cannot be made twice by the same name, with labels for writers, or with everything by who has less", async () => {
    const path = "/v1/notes/management/add_space_token";
    const again = await send("POST", path, ADMIN_KEY, { name: "read token", scope: "read" });
    expect([400, 409]).toContain(again.status);
    expect((await send("POST", path, ADMIN_KEY, { name: "x", scope: "write", labels: ["a"] })).status).toBe(400);
    expect((await send("POST", path, credentials["write CWT"]!, { name: "y", scope: "*" })).status).toBe(403);
    expect((await send("POST", path, ADMIN_KEY, { name: "z", scope: "read", expires_at: "soon" })).status).toBe(400);
  });

  test("are revoked by value too", async () => {
    await addToken("by value", { scope: "read", expires_at: "2999-01-01T00:00:00+01:00" });
    const revoke = (): Promise<Answer> =>
      send("POST", "/v1/notes/management/revoke_space_token", ADMIN_KEY, { token: credentials["by value"] });
    expect((await revoke()).body).toEqual({ result: true });
    expect((await revoke()).body).toEqual({ result: false });
    expect((await send("GET", "/v1/notes/info", credentials["by value"]!)).status).toBe(401);
  });
});

describe("Spaces", () => {
  test("are made by admins, once, under names that are no routes", async () => {
    const made = await send("POST", "/v1/spaces", credentials["manager's CWT"]!, { id: "plans", owner: "bo", tier: 0 });
    expect(made).toMatchObject({ status: 201, body: { id: "plans", object: "space", owner: "bo", tier: 0 } });
    const again = await send("POST", "/v1/spaces", ADMIN_KEY, { id: "plans" });
    expect(again).toMatchObject({ status: 409, body: { code: "already_exists" } });
    for (const id of ["sessions", "No", "a-b", ""]) {
      expect((await send("POST", "/v1/spaces", ADMIN_KEY, { id })).status, id).toBe(400);
    }
    expect((await send("POST", "/v1/spaces", ADMIN_KEY, { id: "usual" })).body).toMatchObject({ tier: 2 });
    const compatible = await send("POST", "/admin/create_space", ADMIN_KEY, { user: "ana", space_id: "compatible" });
    expect(compatible.body.result.tier).toMatchObject({ tier: 2 });
    const token = await send("GET", "/v1/sessions", credentials["read token"]!);
    expect(token).toMatchObject({ status: 401, body: { detail: expect.stringContaining("Space token") } });
    const listed = await send("GET", "/v1/spaces", credentials["read token"]!);
    expect(listed).toMatchObject({ status: 401, body: { detail: expect.stringContaining("Space token") } });
    expect((await send("POST", "/v1/spaces", "", { id: "more" })).status).toBe(401);
    expect((await send("POST", "/v1/spaces", credentials["key of the tenant"]!, { id: "more" })).status).toBe(403);
    const body = { user: "ana", space_id: "more", tier: 1 };
    expect((await send("POST", "/admin/create_space", credentials["owner's CWT"]!, body)).status).toBe(401);
    expect((await send("POST", "/admin/create_space", credentials["CWT of every Space"]!, body)).status).toBe(403);
  });

  test("are removed by admins, once, and their names are free", async () => {
    const doomed = "/v1/spaces/doomed";
    const make = () => send("POST", "/v1/spaces", ADMIN_KEY, { id: "doomed" });
    expect((await make()).status).toBe(201);
    expect(await send("DELETE", doomed, credentials["manager's CWT"]!)).toMatchObject({ status: 204, body: "" });
    for (const [method, path] of [
      ["DELETE", doomed],
      ["GET", "/v1/spaces/doomed/memories?query=tea"],
    ] as const) {
      const missing = { status: 404, body: { code: "not_found", detail: "space not found: doomed" } };
      expect(await send(method, path, ADMIN_KEY)).toMatchObject(missing);
    }
    expect((await make()).status).toBe(201);
  });

  test("are listed page by page, those of the tenant alone", async () => {
    for (const who of ["nobody", "revoked key"])
      expect((await send("GET", "/v1/spaces", credentials[who]!)).status, who).toBe(401);
    const acme = credentials["admin key of another tenant"]!;
    expect((await send("POST", "/v1/spaces", acme, { id: "theirs" })).status).toBe(201);
    expect((await send("GET", "/v1/spaces", acme)).body).toMatchObject({ data: [{ id: "theirs" }], next: null });
    const first = (await send("GET", "/v1/spaces?limit=1", ADMIN_KEY)).body;
    const rest = (await send("GET", `/v1/spaces?after=${encodeURIComponent(first.next)}`, ADMIN_KEY)).body;
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(ids).toEqual(expect.arrayContaining(["notes", "open"]));
    expect(ids).not.toContain("theirs");
    for (const who of ["nobody", "read token", "CWT of another Space", "owner's CWT"]) {
      expect((await send("GET", "/v1/spaces", credentials[who]!)).status, who).toBe(401);
    }
    expect((await send("GET", "/v1/spaces?limit=0", ADMIN_KEY)).body).toMatchObject({ status: 400, param: "limit" });
  });

  test("that do not exist are 404 for whoever may look", async () => {
    expect((await send("GET", "/v1/nowhere/info", ADMIN_KEY)).body).toMatchObject({
      error: { message: "space not found: nowhere", data: { code: "not_found" } },
    });
    expect((await send("GET", "/v1/spaces/nowhere", ADMIN_KEY)).body).toMatchObject({ code: "not_found" });
  });

  test("are only where they are: a wrong Shard-Id is refused on every route", async () => {
    for (const [method, path, body] of [
      ["GET", "/v1/notes/info"],
      ["POST", "/v1/notes/probe", { query: "tea" }],
      ["POST", "/v1/notes/get_or_init_user", { user: "ana" }],
      ["POST", "/v1/notes/execute_kip_readonly", '"LIST TYPES"'],
      ["PATCH", "/v1/notes/management/update_space", { description: "x" }],
    ] as const) {
      const wrong = await send(method, path, ADMIN_KEY, body, { "shard-id": "7" });
      expect(wrong, path).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/shard.*0/i) } },
      });
      expect((await send(method, path, ADMIN_KEY, body, { "x-shard": "0" })).status, path).toBe(200);
      expect((await send(method, path, ADMIN_KEY, body, { "shard-id": "x" })).status, path).toBe(200);
    }
  });

  test("are dumped and loaded whole", async () => {
    await send("POST", "/v1/spaces/notes/memories", ADMIN_KEY, { text: "The ferry leaves at noon." });
    const dump = await fetch(`${server.url}/v1/spaces/notes/dump`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    expect(dump.headers.get("content-type")).toBe("application/octet-stream");
    const bytes = await dump.arrayBuffer();
    const load = (id: string, body: ArrayBuffer, key = ADMIN_KEY): Promise<Response> =>
      fetch(`${server.url}/v1/spaces/${id}/load?owner=bo`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body,
      });
    const loaded = await load("copy", bytes);
    expect([loaded.status, await loaded.json()]).toMatchObject([201, { id: "copy", owner: "bo" }]);
    const found = await send("GET", "/v1/spaces/copy/memories?query=ferry", ADMIN_KEY);
    expect(found.body).toMatchObject({ found: true, data: [{ text: expect.stringContaining("ferry") }] });
    expect((await load("copy", bytes)).status).toBe(409);
    expect((await load("broken", bytes.slice(0, bytes.byteLength / 2))).status).toBe(400);
    expect((await send("GET", "/v1/spaces/broken", ADMIN_KEY)).status).toBe(404);
    expect((await load("more", bytes, credentials["owner's CWT"])).status).toBe(401);
    expect((await load("more", bytes, credentials["CWT of every Space"])).status).toBe(403);
  });
});

test("the commands that /SKILL.md shows can be run as they stand", async () => {
  const skill = (await send("GET", "/SKILL.md", "")).body as string;
  const commands = [...skill.matchAll(/`((?:FIND|SEARCH|DESCRIBE|LIST)\b[^`]+)`/g)].map(([, command]) => command!);
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    const { body } = await send("POST", "/v1/notes/execute_kip_readonly", ADMIN_KEY, JSON.stringify(command));
    expect(body.status, `${command} ${JSON.stringify(body)}`).toBe("succeeded");
  }
  const [, claim] = /```\n(MUTATE[\s\S]+?)```/.exec(skill)!;
  const { body } = await send("POST", "/v1/notes/execute_kip", ADMIN_KEY, JSON.stringify(claim));
  expect(body.status, JSON.stringify(body)).toBe("succeeded");
});

describe("what is kept", () => {
  test("a retained write answers its receipt again", async () => {
    const headers = { "idempotency-key": "the first of them" };
    const write = (): Promise<Answer> => send("POST", "/v1/notes/execute_kip", ADMIN_KEY, kip(KIP_PERSON), headers);
    const first = (await write()).body;
    expect(first.status).toBe("succeeded");
    expect((await write()).body.results).toEqual(first.results);
    const other = await send("POST", "/v1/notes/execute_kip", ADMIN_KEY, kip("LIST TYPES"), headers);
    expect(other.status).toBe(200);
  });

  test("a read-only route refuses writes, as the KIP response says", async () => {
    const { status, body } = await send("POST", "/v1/notes/execute_kip_readonly", ADMIN_KEY, kip(KIP_PERSON));
    expect(status).toBe(200);
    expect(body.results[0]?.error ?? body.error).toMatchObject({ code: "ReadonlyViolation" });
  });

  test("users keep their names, pins and what is forgotten are told", async () => {
    const init = (body: object): Promise<Answer> => send("POST", "/v1/notes/get_or_init_user", ADMIN_KEY, body);
    const made = (await init({ user: "cy", name: "Cyan" })).body.result;
    expect((await init({ user: "cy" })).body.result).toMatchObject({ id: made.id, name: "Cyan" });
    const pinned = await send("POST", "/v1/notes/memory/pin", ADMIN_KEY, { entity: made.id });
    expect(pinned.body.result).toEqual({ entity: made.id, pinned: true, updated: true });
    const unpin = { entity: made.id, pinned: false };
    expect((await send("POST", "/v1/notes/memory/pin", ADMIN_KEY, unpin)).body.result).toMatchObject({ pinned: false });
    const forget = { entities: [made.id, "C-99999"] };
    const { result } = (await send("POST", "/v1/notes/memory/forget", ADMIN_KEY, forget)).body;
    expect(result).toMatchObject({ dry_run: false, deleted_concepts: 1 });
    expect(result.entities).toMatchObject([
      { entity: made.id, existed: true },
      { entity: "C-99999", existed: false },
    ]);
  });

  test("a text is found again, once for each key, as evidence and as a conversation", async () => {
    const headers = { "idempotency-key": "a text" };
    const body = { text: "Bo plays the cello.", user: "bo" };
    const keep = (): Promise<Answer> => send("POST", "/v1/spaces/notes/memories", ADMIN_KEY, body, headers);
    const first = (await keep()).body;
    expect((await keep()).body).toEqual(first);
    const { body: recalled } = await send("GET", "/v1/spaces/notes/memories?query=who+plays+cello", ADMIN_KEY);
    expect(recalled.data[0]).toMatchObject({ entity: first.entities[0], text: expect.stringContaining("cello") });
    const { body: probed } = await send("POST", "/v1/notes/probe", ADMIN_KEY, { query: "cello" });
    expect(probed.result).toMatchObject({ found: true, negative_cached: false });
    const one = await send("GET", `/v1/notes/conversations/${first.conversation}`, ADMIN_KEY);
    expect(JSON.stringify(one.body.result)).toContain("cello");
    const delta = await send("GET", `/v1/notes/conversations/${first.conversation}/delta?messages_offset=1`, ADMIN_KEY);
    expect(delta.body.result).toMatchObject({ messages: [] });
    expect((await send("GET", "/v1/notes/conversations?collection=dreams", ADMIN_KEY)).status).toBe(400);
    expect((await send("GET", "/v1/notes/conversations/999999", ADMIN_KEY)).status).toBe(404);
    const page = (await send("GET", "/v1/notes/conversations?limit=1", ADMIN_KEY)).body;
    expect(page.result).toHaveLength(1);
    expect(page.next_cursor).toEqual(expect.any(String));
    const next = await send(
      "GET",
      `/v1/notes/conversations?limit=1&cursor=${encodeURIComponent(page.next_cursor)}`,
      ADMIN_KEY,
    );
    expect(next.body.result[0]._id).not.toBe(page.result[0]._id);
  });

  test("drafts are promoted by a CWT alone", async () => {
    const define = 'DEFINE PREDICATE "plays_with" {description: "plays with", subject: ["Person"], object: ["Person"]}';
    const defined = await send("POST", "/v1/notes/execute_kip", ADMIN_KEY, kip(define));
    expect(defined.body.status, JSON.stringify(defined.body)).toBe("succeeded");
    const { result } = (await send("GET", "/v1/notes/schema/drafts", ADMIN_KEY)).body;
    expect(result.symbols).toMatchObject([{ kind: "PredicateType", name: "plays_with" }]);
    const body = { kind: "PredicateType", from: "plays_with", to: "knows" };
    const promote = (who: string): Promise<Answer> => send("POST", "/v1/notes/schema/promote", credentials[who]!, body);
    expect((await promote("key of the tenant")).status).toBe(403);
    expect((await promote("write token")).status).toBe(403);
    expect((await promote("nobody")).status).toBe(401);
    expect((await promote("owner's CWT")).body.result).toMatchObject({ promoted: expect.any(String) });
    expect((await promote("owner's CWT")).status).toBe(400);
  });
});
