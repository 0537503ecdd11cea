/** The command against a real server, as a person uses it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { launcher, Program, runToEnd, temporaryFolder } from "../support/program.ts";

const folder = temporaryFolder();
let server: Program;
let url = "";

beforeAll(async () => {
  server = new Program([launcher, "up", "--port", "0", "--log-level", "warn"], { cwd: folder.path });
  url = (await server.printed(/Mainspring is at (\S+)/))[1]!;
});

afterAll(async () => {
  server.kill();
  await server.ended;
  folder[Symbol.dispose]();
});

const cli = (args: readonly string[], input?: string) =>
  runToEnd([launcher, ...args], { cwd: folder.path, ...(input === undefined ? {} : { input }) });
const script = (directives: readonly string[], ...flags: readonly string[]) =>
  cli(["run", "--agent", "script", ...flags, "-"], directives.join("\n"));

/** The objects that it printed, one a line. */
function objects(out: string): Record<string, unknown>[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("run", () => {
  test("prints the answer alone on standard output", async () => {
    const { code, out, err } = await cli(["run", "good morning"]);
    expect({ code, out }).toEqual({ code: 0, out: "good morning\n" });
    expect(err).toMatch(/^session ses_[0-9a-f]{32} run run_[0-9a-f_]+\n$/);
  });

  test("shows two parallel calls and their results beside the answer that is made from them", async () => {
    const { code, out, err } = await script([
      'call calculator {"expression":"6*7"}',
      'call write_file {"path":"a.txt","content":"kept"}',
      "say The answer is {{result:1}}.",
    ]);
    expect({ code, out }).toEqual({ code: 0, out: "The answer is 42.\n" });
    expect(err).toContain('→ calculator {"expression":"6*7"}');
    expect(err).toContain("← calculator: 42");
    expect(err).toContain("→ write_file");
  });

  test("continues a session, with what its workspace holds", async () => {
    const first = await script(['call write_file {"path":"b.txt","content":"from before"}', "say done"], "--json");
    const session = String(objects(first.out).at(-1)!["session_id"]);
    const { code, out } = await script(['call read_file {"path":"b.txt"}', "say {{result}}"], "--session", session);
    expect(code).toBe(0);
    expect(out).toContain("from before");
  });

  test("--json prints every event and then the result", async () => {
    // An answer that is whole at once needs no deltas: the wait lets the first words go ahead.
    const lines = ["say one", "wait 200", 'call calculator {"expression":"1+1"}', "say two"];
    const { code, out } = await script(lines, "--json");
    const printed = objects(out);
    expect(code).toBe(0);
    expect(printed.at(-1)).toMatchObject({ type: "result", status: "completed", text: "two" });
    expect(printed.map(({ type }) => type)).toEqual(expect.arrayContaining(["run.started", "delta", "run.completed"]));
  });

  test("--no-stream prints the complete answer", async () => {
    const { code, out } = await script(["say all at once"], "--no-stream");
    expect({ code, out }).toEqual({ code: 0, out: "all at once\n" });
  });

  test("says why a run failed, with exit code 1", async () => {
    const { code, out, err } = await script(["fail 400"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("the run failed");
  });

  test("an interrupt cancels the run and its tool, waits for the end and exits with 130", async () => {
    await using program = new Program([launcher, "run", "--agent", "script", "-"], {
      cwd: folder.path,
      input: 'call shell {"command":"sleep 600"}\nsay never',
    });
    await program.printed(/→ shell/, "err");
    program.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130 });
    expect(program.err).toContain("← shell cancelled");
    expect(program.err).toContain("the run was cancelled");
    expect(program.out).toBe("");
  });

  test("an agent that does not exist is named, with those that do", async () => {
    const { code, err } = await cli(["run", "--agent", "nobody", "hello"]);
    expect(code).toBe(1);
    expect(err).toMatch(/mainspring: there is no .*nobody.*script/);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test("an empty prompt is refused", async () => {
    const { code, err } = await cli(["run", "-"], "\n");
    expect(code).toBe(1);
    expect(err).toContain("the prompt is empty");
  });
});

describe("chat from a pipe", () => {
  test("answers line by line, and says how to go on", async () => {
    const { code, out, err } = await cli(["chat"], "one\ntwo\n");
    expect({ code, out }).toEqual({ code: 0, out: "one\ntwo\n" });
    expect(err).toMatch(/^go on with: mainspring chat --session ses_[0-9a-f]{32}$/m);
  });

  test("ends with 1 when a turn failed, whatever came after, and when none could be run", async () => {
    expect(await cli(["chat", "--agent", "script"], "fail 400\nsay fine\n")).toMatchObject({ code: 1 });
    const unknown = await cli(["chat", "--session", `ses_${"0".repeat(32)}`], "one\n");
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("no session") });
    expect(unknown.err).not.toContain("go on with");
    expect(await cli(["chat"], "")).toMatchObject({ code: 1 });
  });
});

describe("sessions and events", () => {
  test("sessions come latest first, page by page", async () => {
    await cli(["run", "the first"]);
    await cli(["run", "the second"]);
    const first = await cli(["sessions", "--limit", "1", "--json"]);
    expect(objects(first.out)).toMatchObject([{ title: "the second" }]);
    const cursor = /more: --after (\S+)/.exec(first.err)?.[1] ?? "";
    const next = await cli(["sessions", "--limit", "1", "--after", cursor]);
    expect(next.out).toMatch(/^SESSION .*\nses_.* the first\n$/);
  });

  test("events are those of the log, and --after leaves out what came before", async () => {
    const { out } = await script(["say something"], "--json");
    const session = String(objects(out).at(-1)!["session_id"]);
    const all = objects((await cli(["events", session, "--json"])).out);
    expect(all[0]).toMatchObject({ type: "session.created" });
    expect(all.map(({ seq }) => Number(seq))).toEqual(all.map(({ seq }) => Number(seq)).toSorted((a, b) => a - b));
    const middle = all[Math.floor(all.length / 2)]!;
    const rest = objects((await cli(["events", session, "--after", String(middle["seq"]), "--json"])).out);
    expect(rest).toEqual(all.slice(all.indexOf(middle) + 1));
    expect((await cli(["events", session])).out).toContain("run.completed");
  });

  test("--follow goes on until it is interrupted", async () => {
    const { out } = await script(["say before"], "--json");
    const session = String(objects(out).at(-1)!["session_id"]);
    await using follower = new Program([launcher, "events", session, "--follow"], { cwd: folder.path });
    await follower.printed(/run\.completed/);
    const again = script(["say afterwards"], "--session", session);
    await follower.printed(/afterwards/);
    await again;
    follower.kill("SIGINT");
    expect(await follower.ended).toMatchObject({ code: 130 });
  });

  test("cancel takes the id of a run and says what became of it", async () => {
    const { out } = await script(["say over"], "--json");
    const run = String(objects(out).at(-1)!["run_id"]);
    expect(await cli(["cancel", run])).toMatchObject({ code: 0, out: "the run was over before\n" });
    const session = String(objects(out).at(-1)!["session_id"]);
    expect(await cli(["cancel", session])).toMatchObject({ code: 0, out: "the run was over before\n" });
    expect((await cli(["events", session])).out).toMatch(new RegExp(`${run.slice(-8)} +1 +model.completed`));
    await using waiting = new Program([launcher, "run", "--agent", "script", "--json", "-"], {
      cwd: folder.path,
      input: "wait 600000\nsay never",
    });
    const [, waits] = await waiting.printed(/"type":"run\.started".*"run_id":"(run_[0-9a-f]+)"/);
    const cancelled = await cli(["cancel", waits!.replace("run_", "resp_"), "--reason", "changed my mind"]);
    expect(cancelled).toMatchObject({ code: 0, out: expect.stringContaining("is cancelled") });
    expect(await waiting.ended).toMatchObject({ code: 1 });
    expect(objects(waiting.out).at(-1)).toMatchObject({ status: "cancelled" });
    expect(await cli(["cancel", "1"])).toMatchObject({ code: 1, err: expect.stringContaining("is no run") });
  });
});

describe("keys", () => {
  test("a key of another tenant works until it is revoked, and sees none of the sessions here", async () => {
    const created = await cli(["keys", "create", "--name", "guest", "--tenant", "guests"]);
    expect(created.out).toMatch(/^msk_[0-9a-f]+\n$/);
    const id = /key_[0-9a-f]+/.exec(created.err)![0];
    const key = created.out.trim();
    expect(await cli(["sessions", "--key", key])).toMatchObject({ code: 0, out: "" });
    expect((await cli(["keys", "list", "--key", key])).err).toContain("admin");
    expect((await cli(["keys", "list"])).out).toContain(id);
    expect(await cli(["keys", "revoke", id])).toMatchObject({ code: 0, out: `${id} is revoked\n` });
    expect((await cli(["keys", "list"])).out).toMatch(new RegExp(`${id} .*revoked`));
    expect(await cli(["sessions", "--key", key])).toMatchObject({ code: 1, err: expect.stringContaining("--key") });
  });
});

describe("which server", () => {
  test("--url with --key names one, and the local admin key is not sent there", async () => {
    const key = readFileSync(join(folder.path, ".mainspring/admin-key"), "utf8").trim();
    expect(await cli(["sessions", "--url", url, "--key", key])).toMatchObject({ code: 0 });
    expect(await cli(["sessions", "--url", url])).toMatchObject({ code: 1 });
  });

  test("a server that does not answer is named, with what to do", async () => {
    const { code, err } = await cli(["sessions", "--url", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(err).toBe(
      "mainspring: no server answers at http://127.0.0.1:9; start one with `mainspring up`, or name another with --url\n",
    );
  });

  test("without a server the command starts one for itself, and what it did is there afterwards", async () => {
    using elsewhere = temporaryFolder();
    const at = { cwd: elsewhere.path };
    const first = await runToEnd([launcher, "run", "alone"], at);
    expect(first).toMatchObject({ code: 0, out: "alone\n", err: expect.stringContaining("no server is running") });
    const list = await runToEnd([launcher, "sessions", "--json"], at);
    expect(objects(list.out)).toMatchObject([{ title: "alone" }]);
  });

  test("what a killed server said of itself is not believed", async () => {
    using elsewhere = temporaryFolder();
    await using killed = new Program([launcher, "up", "--port", "0"], { cwd: elsewhere.path });
    await killed.printed(/Mainspring is at/);
    killed.kill("SIGKILL");
    await killed.ended;
    const { code, out } = await runToEnd([launcher, "run", "still here"], { cwd: elsewhere.path });
    expect({ code, out }).toEqual({ code: 0, out: "still here\n" });
  });
});

describe("doctor", () => {
  test("finds a running server healthy", async () => {
    const { code, out } = await cli(["doctor", "--json"]);
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: { name: string; state: string }[] };
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(findings.map(({ name }) => name)).toContain("data directory");
  });

  test("says what is missing and how to get it, with exit code 1", async () => {
    const port = new URL(url).port;
    const { code, out } = await cli([
      "doctor",
      "--port",
      port,
      "--data-dir",
      "elsewhere",
      "--redis-url",
      "redis://127.0.0.1:9",
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/MISSING +port .*taken by a Mainspring server with another data directory \(choose another/);
    expect(out).toMatch(/MISSING +MongoDB .*set MAINSPRING_REDIS_URL and MAINSPRING_MONGO_URL/);
    expect(out).toMatch(/MISSING +Redis/);
  });
});

describe("usage", () => {
  test.each([[["no-such-command"]], [["run"]], [["sessions", "--limit", "0"]], [["run", "hello", "--no-such-flag"]]])(
    "%j is wrong, with exit code 2",
    async (args) => {
      const { code, err } = await cli(args);
      expect(code).toBe(2);
      expect(err).toContain("--help");
    },
  );

  const commands = [
    "up",
    "serve",
    "serve gateway",
    "run",
    "sessions",
    "events",
    "cancel",
    "keys",
    "keys create",
    "doctor",
  ];
  test.each(commands)("%s --help has examples", async (command) => {
    const { code, out } = await cli([...command.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("Examples:\n");
  });
});
