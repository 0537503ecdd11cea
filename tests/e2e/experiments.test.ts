/** Experiments over a real server: the API as described, and the commands as a person uses them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  experiment,
  experimentAttempt,
  experimentReport,
} from "../../services/gateway/src/http/openapi-experiments.ts";
import { launcher, Program, projectRoot, runToEnd, temporaryFolder } from "../support/program.ts";

const folder = temporaryFolder();
const example = join(projectRoot, "examples/experiment.yaml");
let server: Program;
let url = "";
let acme = "";
let other = "";

const cli = (...args: readonly string[]) => runToEnd([launcher, ...args], { cwd: folder.path });

async function api(key: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

async function keyOf(tenant: string): Promise<string> {
  const made = await cli("keys", "create", "--tenant", tenant, "--json");
  return (JSON.parse(made.out) as { key: string }).key;
}

function small(name: string, more: object = {}) {
  const subjects = [{ model: "agent/script" }, { model: "offline/script" }];
  return { name, subjects, tasks: [{ id: "hello", input: "say hello", expected: "hello" }], ...more };
}

beforeAll(async () => {
  server = new Program([launcher, "up", "--port", "0", "--log-level", "warn"], { cwd: folder.path });
  url = (await server.printed(/Mainspring is at (\S+)/))[1]!;
  [acme, other] = await Promise.all([keyOf("acme"), keyOf("other")]);
});

afterAll(async () => {
  server.kill();
  await server.ended;
  folder[Symbol.dispose]();
});

describe("the API", () => {
  test("runs an experiment, tells how it goes, and reports, all as described", async () => {
    const made = await api(acme, "/v1/experiments", small("api", { repetitions: 3 }));
    expect(made.status).toBe(201);
    const { id } = experiment.parse(made.body);
    const stream = await api(acme, `/v1/experiments/${id}?stream=true`);
    const seen = [...stream.text.matchAll(/^event: experiment\ndata: (.*)$/gm)].map(([, data]) =>
      experiment.parse(JSON.parse(data!)),
    );
    expect(seen.at(-1)).toMatchObject({ status: "completed", progress: { cells: 6, passed: 6 } });
    const report = experimentReport.parse((await api(acme, `/v1/experiments/${id}/report`)).body);
    expect(report.subjects.map(({ subject, passed, pass_rate }) => [subject, passed, pass_rate])).toEqual([
      ["agent/script", 3, 1],
      ["offline/script", 3, 1],
    ]);
    const page = await api(acme, `/v1/experiments/${id}/attempts?limit=5`);
    const attempts = (page.body["data"] as unknown[]).map((each) => experimentAttempt.parse(each));
    expect(attempts).toHaveLength(5);
    const rest = await api(acme, `/v1/experiments/${id}/attempts?limit=5&after=${String(page.body["next"])}`);
    expect(rest.body).toMatchObject({ data: [{ selected: true, repetition: 3 }], next: null });
    // The runs are the tenant's own, and traced.
    const run = await api(acme, `/v1/runs/${attempts[0]!.run_id}`);
    expect(run.body).toMatchObject({ status: "completed", trace_id: attempts[0]!.trace_id });
    expect((await api(other, `/v1/runs/${attempts[0]!.run_id}`)).status).toBe(404);
    const again = await api(acme, "/v1/experiments", small("api", { repetitions: 3 }));
    expect(again).toMatchObject({ status: 200, body: { id, status: "completed", round: 1 } });
  });

  test("hides what is another tenant's", async () => {
    const { id } = (await api(acme, "/v1/experiments", small("hidden"))).body as { id: string };
    for (const path of ["", "/report", "/attempts"]) {
      const found = await api(other, `/v1/experiments/${id}${path}`);
      expect(found).toMatchObject({
        status: 404,
        body: { detail: `no experiment ${id}`, reason: "experiment_not_found" },
      });
    }
    expect((await api(other, `/v1/experiments/${id}/cancel`, {})).status).toBe(404);
    expect((await api(other, "/v1/experiments")).body).toMatchObject({ data: [], next: null });
    expect((await api("nobody", "/v1/experiments")).status).toBe(401);
    // The same definition of another tenant is another experiment.
    expect((await api(other, "/v1/experiments", small("hidden"))).body["id"]).not.toBe(id);
  });

  test("a plain key cannot have run what it may not run itself", async () => {
    const admin = (await cli("keys", "create", "--tenant", "acme", "--admin", "--json")).out;
    const adminKey = (JSON.parse(admin) as { key: string }).key;
    const agent = { name: "secret", model: "offline/script", exported: false };
    expect((await api(adminKey, "/v1/agents", agent)).status).toBe(201);
    const definition = small("private", { subjects: [{ model: "agent/secret" }, { model: "offline/script" }] });
    const results = async (key: string) => {
      const { id } = (await api(key, "/v1/experiments", definition)).body as { id: string };
      await api(key, `/v1/experiments/${id}?stream=true`);
      return (await api(key, `/v1/experiments/${id}`)).body["progress"];
    };
    expect(await results(acme)).toMatchObject({ passed: 1, errors: 1 });
    expect(await results(adminKey)).toMatchObject({ passed: 2, errors: 0 });
  });

  test("is there for everybody: a small experiment ends while a big one of another tenant is under way", async () => {
    const tasks = [{ id: "slow", input: "wait 300\nsay done", expected: "done" }];
    const big = (await api(acme, "/v1/experiments", small("big", { tasks, repetitions: 100 }))).body as { id: string };
    await expect
      .poll(async () => (await api(acme, `/v1/experiments/${big.id}`)).body["progress"])
      .toMatchObject({ running: 4 });
    const { id } = (await api(other, "/v1/experiments", small("quick", { repetitions: 3 }))).body as { id: string };
    const stream = await api(other, `/v1/experiments/${id}?stream=true`);
    expect(stream.text).toContain('"status":"completed"');
    const under = experiment.parse((await api(acme, `/v1/experiments/${big.id}`)).body);
    expect(under.status).toBe("running");
    expect(under.progress.waiting).toBeGreaterThan(100);
    await api(acme, `/v1/experiments/${big.id}/cancel`, {});
  });

  test("says what is wrong with a definition", async () => {
    const wrong = await api(acme, "/v1/experiments", small("wrong", { subjects: [] }));
    expect(wrong).toMatchObject({ status: 400, body: { param: "subjects", reason: "invalid_experiment" } });
    const zero = await api(acme, "/v1/experiments", { ...small("wrong"), concurrency: 0 });
    expect(zero).toMatchObject({ status: 400, body: { param: "concurrency" } });
    const large = await api(acme, "/v1/experiments", small("wrong", { subjects: "x".repeat(5_000_000) }));
    expect(large.status).toBe(413);
    expect((await api(acme, "/v1/experiments?limit=101")).status).toBe(400);
    expect((await api(acme, "/v1/experiments?after=x")).status).toBe(400);
  });
});

describe("acting for a tenant", () => {
  const actAs = (key: string, value: string) =>
    api(key, "/v1/sessions?limit=1", undefined, { "x-mainspring-act-as": value });

  test("is for admins, who see then what that tenant sees", async () => {
    const adminKey = (JSON.parse((await cli("keys", "create", "--admin", "--json")).out) as { key: string }).key;
    const [own] = (await api(acme, "/v1/sessions?limit=1")).body["data"] as object[];
    expect((await actAs(adminKey, "acme")).body).toMatchObject({ data: [own] });
    expect((await actAs(adminKey, "no/tenant")).status).toBe(400);
    const keys = await api(adminKey, "/v1/keys", undefined, { "x-mainspring-act-as": "acme" });
    expect(keys.status).toBe(403);
  });

  test("gives nobody else anything", async () => {
    expect((await actAs(acme, "other")).status).toBe(403);
    expect((await actAs(acme, "acme; scope=admin")).status).toBe(403);
    expect((await actAs(acme, "acme")).status).toBe(200);
  });
});

describe("the commands", () => {
  let id = "";

  test("run tells the progress and prints the report", async () => {
    const { code, out, err } = await cli("eval", "run", example);
    expect(code, err).toBe(0);
    expect(out).toMatch(/SUBJECT +PASSED +RATE/);
    expect(out).toMatch(/with tools +4\/4 +100\.0 % +51\.0 % to 100\.0 %/);
    expect(out).toMatch(/without tools against with tools +4 +-50\.0/);
    expect(out).toMatch(/^P: .*the unit is the task/m);
    expect(out).toMatch(/without tools +product +1 +failed +run_/);
    id = /exp_[0-9a-f]{32}/.exec(err)![0];
  });

  test("run again runs nothing again; list and report find it", async () => {
    const { out } = await cli("eval", "run", example, "--json");
    const report = JSON.parse(out) as { experiment: { id: string; round: number } };
    expect(report.experiment).toMatchObject({ id, round: 1 });
    expect((await cli("eval", "list")).out).toContain(id);
    expect((await cli("eval", "report", id, "--baseline", "without tools")).out).toContain(
      "with tools against without",
    );
    expect(await cli("eval", "report", id, "--baseline", "x")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no subject"),
    });
  });

  test("Ctrl-C leaves an experiment that goes on; cancel ends it, and run ends with 1 then", async () => {
    const file = join(folder.path, "slow.json");
    const tasks = [{ id: "slow", input: "wait 600000\nsay done", expected: "done" }];
    writeFileSync(file, JSON.stringify(small("slow", { tasks })));
    await using left = new Program([launcher, "eval", "run", file], { cwd: folder.path });
    const [slow] = await left.printed(/exp_[0-9a-f]{32}/, "err");
    left.kill("SIGINT");
    expect((await left.ended).code).toBe(130);
    expect(left.err).toContain(`it goes on in the server: mainspring eval report ${slow}`);
    await using waiting = new Program([launcher, "eval", "run", file], { cwd: folder.path });
    await waiting.printed(/0\/2 running/, "err");
    expect((await cli("eval", "cancel", slow)).out).toMatch(/cancell/);
    expect((await waiting.ended).code).toBe(1);
    expect(waiting.out).toMatch(/0\/2 cancelled/);
  });

  test("say what is wrong with a file", async () => {
    expect(await cli("eval", "run", "nowhere.yaml")).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be read"),
    });
    writeFileSync(join(folder.path, "bad.yaml"), "name: [");
    expect(await cli("eval", "run", "bad.yaml")).toMatchObject({ code: 1, err: expect.stringContaining("bad.yaml") });
    writeFileSync(join(folder.path, "none.yaml"), "name: x\nsubjects: []\ntasks: []\n");
    expect(await cli("eval", "run", "none.yaml")).toMatchObject({
      code: 1,
      err: expect.stringContaining("subjects: "),
    });
    expect(await cli("eval", "report", "exp_1")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no experiment"),
    });
  });
});
