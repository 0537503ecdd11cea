/** Bad input gets a clear error and loses nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ADMIN_KEY, startUp } from "../support/mainspring-process.ts";
import type { EmbeddedServer } from "../support/mainspring-process.ts";

let server: EmbeddedServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "mainspring-bad-"));
  server = await startUp(dataDir);
});
afterAll(async () => {
  await server.process.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

// The shape differs by route; each test states what it expects of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

async function send(
  path: string,
  body: string | undefined,
  key = ADMIN_KEY,
  method = "POST",
): Promise<{ status: number; body: Answer }> {
  const response = await fetch(server.url + path, {
    method,
    headers: { "content-type": "application/json", ...(key === "" ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const ask = (fields: object): Promise<{ status: number; body: Answer }> =>
  send("/v1/responses", JSON.stringify(fields));

describe("a request that cannot be right", () => {
  test.each([
    ["malformed JSON", '{"model":', /not JSON/],
    ["no model", "{}", /model/],
    ["a wrong type", '{"model":5,"input":"x"}', /model/],
    ["no input", '{"model":"agent/script"}', /input/],
    ["an input of a wrong type", '{"model":"agent/script","input":7}', /input/],
    ["an item of an unknown kind", '{"model":"agent/script","input":[{"type":"nonsense"}]}', /input/],
    ["a tool that is no function", '{"model":"agent/script","input":"x","tools":[{"type":"magic"}]}', /tools/],
    ["an impossible temperature", '{"model":"agent/script","input":"x","temperature":9}', /temperature/],
    [
      "a tool of the agent's own name",
      '{"model":"agent/script","input":"x","tools":[{"type":"function","name":"shell"}]}',
      /shell/,
    ],
  ])("%s", async (_name, body, message) => {
    const { status, body: answer } = await send("/v1/responses", body);
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ type: "invalid_request_error", message: expect.stringMatching(message) });
  });

  test("an unknown model or agent is named, with what there is", async () => {
    const model = await ask({ model: "nonsense-9", input: "x" });
    expect(model).toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found", message: expect.stringContaining("offline/script") } },
    });
    const agent = await ask({ model: "agent/nobody", input: "x" });
    expect(agent).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining("agent/script") } } });
  });

  test("a body nested too deep, on either kind of route", async () => {
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    const message = expect.stringContaining("deeper than 100 levels");
    expect(await send("/v1/responses", `{"model":"agent/script","input":"x","text":${deep}}`)).toMatchObject({
      status: 400,
      body: { error: { message, type: "invalid_request_error", code: "too_deep" } },
    });
    expect(await send("/v1/sessions", `{"title":${deep}}`)).toMatchObject({ status: 400, body: { detail: message } });
  });

  test.each([
    ["/v1/responses", '{"model":"agent/script","input":[{"role":"user","content":"\\ud800"}]}', "input[0].content"],
    [
      "/v1/chat/completions",
      '{"model":"agent/script","messages":[{"role":"user","content":"a\\udc00"}]}',
      "messages[0].content",
    ],
    [
      "/v1/messages",
      '{"model":"agent/script","max_tokens":1,"messages":[{"role":"user","content":"\\ud83d"}]}',
      "messages[0].content",
    ],
    ["/v1/sessions", '{"title":"\\ud800"}', "title"],
    ["/v1/agents", '{"name":"x","instructions":"\\ud800"}', "instructions"],
    ["/v1/experiments", '{"name":"\\ud800"}', "name"],
    ["/v1/keys", '{"name":"\\ud800"}', "name"],
    ["/v1/spaces", '{"id":"\\ud800"}', "id"],
    ["/v1/spaces/nowhere/memories", '{"text":"\\ud800"}', "text"],
    ["/admin/create_space", '{"user":"\\ud800","space_id":"x"}', "user"],
  ])("half of a character is refused by %s, and nothing is changed without a word", async (path, body, place) => {
    if (path.includes("nowhere")) await send("/v1/spaces", '{"id":"nowhere"}');
    const { status, body: answer } = await send(path, body);
    const said = JSON.stringify(answer);
    expect([status, said]).toEqual([
      400,
      expect.stringContaining(`half of a character (a lone surrogate) in ${place}`),
    ]);
  });

  test("a text of CBOR that is not UTF-8 is refused, and so is a query", async () => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/cbor" };
    // {"text": "a" and a byte that is none}, short and with its length in a byte of its own.
    for (const hex of ["a164746578746261ff", "a16474657874780261ff"]) {
      const body = Buffer.from(hex, "hex");
      const response = await fetch(`${server.url}/v1/spaces/nowhere/memories`, { method: "POST", headers, body });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("not UTF-8")]);
    }
    for (const query of ["%ff%fe", "%ED%A0%80"]) {
      const { status, body } = await send(`/v1/spaces/nowhere/memories?query=${query}`, undefined, ADMIN_KEY, "GET");
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("not UTF-8")]);
    }
  });

  test("a body that is not UTF-8 is refused on either kind of route", async () => {
    for (const path of ["/v1/responses", "/v1/spaces"]) {
      const response = await fetch(server.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
        body: Buffer.from('{"id":"\xff"}', "latin1"),
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("is not UTF-8")]);
    }
  });

  test("a body of 20 MB is refused as too large", async () => {
    const { status, body } = await ask({ model: "agent/script", input: "x".repeat(20 * 1024 * 1024) });
    expect(status).toBe(413);
    expect(body.error.code).toBe("body_too_large");
  });

  test("what the engine refuses is named as the caller sent it", async () => {
    const page = await send("/v1/sessions?after=nonsense", undefined, ADMIN_KEY, "GET");
    expect(page).toMatchObject({ status: 400, body: { detail: "after is not one of ours", param: "after" } });
    const session = await send("/v1/sessions", '{"agent":"script"}');
    const runs = `/v1/sessions/${session.body.id}/runs`;
    const items = await send(runs, '{"input":[{"type":"message","role":"bogus","text":"x"}]}');
    expect(items).toMatchObject({ status: 400, body: { param: "input.0.role" } });
    expect(items.body.detail).toMatch(/^input\.0\.role: /);
    const steps = await send(runs, '{"input":"x","steps_max":1000000}');
    expect(steps).toMatchObject({ status: 400, body: { param: "steps_max" } });
    const key = await send(runs, JSON.stringify({ input: "x", client_run_id: "é".repeat(200) }));
    expect(key).toMatchObject({ status: 400, body: { detail: expect.stringContaining("Idempotency-Key") } });
  });

  test("an unknown previous response", async () => {
    const answer = await ask({ model: "agent/script", input: "x", previous_response_id: "resp_nothing" });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "previous_response_not_found" } } });
  });

  test("an unknown route", async () => {
    expect(await send("/v1/nothing", undefined, ADMIN_KEY, "GET")).toMatchObject({
      status: 404,
      body: { status: 404, reason: "no_such_route" },
    });
  });
});

describe("a route that other servers have", () => {
  test.each(["/v1/completions", "/v1/embeddings"])("%s points to the one here", async (path) => {
    const message = `there is no POST ${path}; use /v1/responses`;
    expect(await send(path, "{}")).toEqual({
      status: 404,
      body: { error: { message, type: "invalid_request_error", param: null, code: "no_such_route" } },
    });
  });
});

describe("tools", () => {
  test("an unknown tool and invalid arguments are told to the model, which goes on", async () => {
    const { body } = await ask({
      model: "agent/script",
      input:
        'call nonsense {}\nthen\nsay first: {{result}}\ncall calculator {"expression":5}\nthen\nsay second: {{result}}',
    });
    const text = JSON.stringify(body.output);
    expect(body.status).toBe("completed");
    expect(text).toContain("There is no tool named");
    expect(text).toMatch(/second: .*expression/);
  });
});

describe("who may not", () => {
  test("no key and a wrong key are 401, in each route's own shape", async () => {
    expect(await send("/v1/responses", "{}", "")).toMatchObject({
      status: 401,
      body: { error: { code: "missing_api_key" } },
    });
    expect(await send("/v1/responses", "{}", "wrong")).toMatchObject({
      status: 401,
      body: { error: { code: "invalid_api_key" } },
    });
    expect(await send("/v1/sessions", undefined, "wrong", "GET")).toMatchObject({
      status: 401,
      body: { reason: "invalid_api_key" },
    });
  });

  test("another tenant's ids look like missing ones, on every route", async () => {
    const made = await send("/v1/keys", JSON.stringify({ tenant: "other", name: "test" }));
    expect(made.status).toBe(201);
    const other: string = made.body.key;
    const mine = await ask({ model: "agent/script", input: "say mine", background: true });
    const run = mine.body.id.replace("resp_", "run_");
    const session = (await send(`/v1/runs/${run}`, undefined, ADMIN_KEY, "GET")).body.session_id;
    const artifact = "a".repeat(64);
    const routes: [string, string, string?][] = [
      ["GET", `/v1/responses/${mine.body.id}`],
      ["POST", `/v1/responses/${mine.body.id}/cancel`, "{}"],
      ["GET", `/v1/responses/${mine.body.id}/input_items`],
      ["GET", `/v1/runs/${run}`],
      ["POST", `/v1/runs/${run}/cancel`, "{}"],
      ["GET", `/v1/sessions/${session}`],
      ["GET", `/v1/sessions/${session}/events`],
      ["GET", `/v1/sessions/${session}/runs`],
      ["POST", `/v1/sessions/${session}/runs`, '{"input":"say no","agent":"script"}'],
      ["POST", `/v1/sessions/${session}/reopen`, "{}"],
      ["DELETE", `/v1/sessions/${session}`],
      ["GET", `/v1/artifacts/${artifact}`],
    ];
    for (const [method, path, body] of routes) {
      const foreign = await send(path, body, other, method);
      expect(foreign.status, `${method} ${path}`).toBe(404);
    }
    const continued = await send(
      "/v1/responses",
      JSON.stringify({ model: "agent/script", input: "x", previous_response_id: mine.body.id }),
      other,
    );
    expect(continued.status).toBe(404);
    expect((await send("/v1/sessions", undefined, other, "GET")).body.data).toEqual([]);
    expect((await send("/v1/keys", undefined, other, "GET")).status).toBe(403);
    // Mine is as it was.
    expect((await send(`/v1/sessions/${session}`, undefined, ADMIN_KEY, "GET")).status).toBe(200);
    const revoked = await send(`/v1/keys/${made.body.id}`, undefined, ADMIN_KEY, "DELETE");
    expect(revoked.status).toBe(204);
  });
});

describe("large content", () => {
  const MIB = 1024 * 1024;

  test("an item just below the limit goes through, one above is refused at once", async () => {
    const fits = [
      { role: "user", content: "x".repeat(3 * MIB - 200) },
      { role: "user", content: "say fits" },
    ];
    const taken = await ask({ model: "agent/script", input: fits });
    expect(taken.body).toMatchObject({ status: "completed" });
    expect(taken.body.output[0].content[0].text).toBe("fits");
    const refused = await ask({ model: "agent/script", input: "x".repeat(15 * MIB) });
    expect(refused).toMatchObject({ status: 413, body: { error: { code: "input_too_large", param: "input" } } });
    const session = await send("/v1/sessions", '{"agent":"script"}');
    const native = await send(`/v1/sessions/${session.body.id}/runs`, JSON.stringify({ input: "x".repeat(4 * MIB) }));
    expect(native).toMatchObject({ status: 413, body: { reason: "input_too_large" } });
  });

  test("settings just below the limit go through, above it they are refused at once", async () => {
    const taken = await ask({ model: "agent/script", input: "say fits", instructions: "x".repeat(MIB - 2_000) });
    expect(taken.body).toMatchObject({ status: "completed" });
    const again = await send(`/v1/responses/${taken.body.id}`, undefined, ADMIN_KEY, "GET");
    expect(again.body.output).toEqual(taken.body.output);
    for (const fields of [{ instructions: "x".repeat(5 * MIB) }, { metadata: { a: "x".repeat(2 * MIB) } }]) {
      const refused = await ask({ model: "agent/script", input: "x", ...fields });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: "settings_too_large" } } });
    }
  });

  test("goes through whole, and its artifact can be read", async () => {
    const text = "word ".repeat(60_000).trim();
    const { body } = await ask({ model: "agent/script", input: text });
    expect(body.status).toBe("completed");
    expect(body.output[0].content[0].text).toBe(text);
    const again = await send(`/v1/responses/${body.id}`, undefined, ADMIN_KEY, "GET");
    expect(again.body.output).toEqual(body.output);
    const inputs = await send(`/v1/responses/${body.id}/input_items`, undefined, ADMIN_KEY, "GET");
    expect(inputs.body.data).toMatchObject([{ role: "user", content: [{ type: "input_text", text }] }]);
    expect(JSON.stringify(inputs.body)).not.toContain("_ref");
  });
});
