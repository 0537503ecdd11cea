/** The commands for Spaces against a real server, as a person uses them. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { launcher, Program, runToEnd, temporaryFolder } from "../support/program.ts";

const folder = temporaryFolder();
let server: Program;
let url = "";

const cli = (args: readonly string[], input?: string) =>
  runToEnd([launcher, ...args], { cwd: folder.path, ...(input === undefined ? {} : { input }) });
const lines = (out: string): Record<string, unknown>[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  const { code } = await cli(["cwt", "keygen"]);
  expect(code).toBe(0);
  const publicKey = readFileSync(join(folder.path, "cwt-key.pub"), "utf8").trim();
  const flags = ["--port", "0", "--log-level", "warn", "--ed25519-pubkeys", publicKey];
  server = new Program([launcher, "up", ...flags], { cwd: folder.path });
  url = (await server.printed(/Mainspring is at (\S+)/))[1]!;
  expect(await cli(["space", "create", "notes", "--owner", "ana"])).toMatchObject({ code: 0, out: "notes\n" });
});

afterAll(async () => {
  server.kill();
  await server.ended;
  folder[Symbol.dispose]();
});

describe("space", () => {
  test("create, list and show", async () => {
    expect(await cli(["space", "create", "notes"])).toMatchObject({ code: 1, err: expect.stringContaining("already") });
    expect(await cli(["space", "create", "sessions"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("route"),
    });
    expect((await cli(["space", "list"])).out).toMatch(/^SPACE .*\nnotes +ana +private +2 +0 /);
    expect(lines((await cli(["space", "list", "--json"])).out)).toMatchObject([{ id: "notes", owner: "ana" }]);
    expect(JSON.parse((await cli(["space", "show", "notes"])).out)).toMatchObject({ id: "notes", owner: "ana" });
    expect(await cli(["space", "show", "nowhere"])).toMatchObject({
      code: 1,
      err: "mainspring: space not found: nowhere\n",
    });
  });

  test("a command that would write says how to let it", async () => {
    const write = 'UPSERT CONCEPT ?t { MATCH {type: "Topic", key: "tea"} }';
    const refused = await cli(["kip", "notes", "-c", write]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--write")]);
    expect(await cli(["kip", "notes", "--write", "-c", write])).toMatchObject({ code: 0 });
  });

  test("tokens are made, shown once, used, listed and revoked", async () => {
    const made = await cli(["space", "tokens", "notes", "--add", "dashboard", "--scope", "read"]);
    expect(made.out).toMatch(/^ST\S+\n$/);
    const token = made.out.trim();
    const asToken = ["--url", url, "--key", token];
    expect(await cli(["kip", "notes", "-c", "LIST TYPES LIMIT 1", ...asToken])).toMatchObject({ code: 0 });
    const bound = await cli(["space", "tokens", "notes", "--add", "bound", "--scope", "read", "--unlabelled"]);
    for (const reading of [
      ["recall", "notes", "tea"],
      ["kip", "notes", "-c", "LIST TYPES LIMIT 1"],
    ]) {
      expect(await cli([...reading, "--url", url, "--key", bound.out.trim()])).toMatchObject({
        code: 1,
        err: expect.stringContaining("unrestricted"),
      });
    }
    const { out } = await cli(["space", "tokens", "notes"]);
    expect(out).toContain("dashboard");
    expect(out).not.toContain(token);
    expect(await cli(["space", "tokens", "notes", "--revoke", "dashboard"])).toMatchObject({ code: 0 });
    expect(await cli(["space", "tokens", "notes", "--revoke", "dashboard"])).toMatchObject({ code: 1 });
    expect(await cli(["kip", "notes", "-c", "LIST TYPES", ...asToken])).toMatchObject({ code: 1 });
  });

  test("a dump is a file that loads as another Space, and each is verified", async () => {
    await cli(["remember", "notes", "The lighthouse keeper is called Ines."]);
    expect(await cli(["space", "dump", "notes", "notes.dump"])).toMatchObject({ code: 0, out: "" });
    expect(statSync(join(folder.path, "notes.dump")).size).toBeGreaterThan(1_000);
    expect(await cli(["space", "dump", "notes", "notes.dump"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("is there already"),
    });
    expect(await cli(["space", "load", "copy", "notes.dump"])).toMatchObject({
      code: 0,
      out: "copy\n",
      err: expect.stringContaining("no tokens"),
    });
    expect((await cli(["recall", "copy", "lighthouse"])).out).toContain("Ines");
    expect(await cli(["space", "verify", "copy"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^copy is whole/),
    });
    writeFileSync(join(folder.path, "broken.dump"), readFileSync(join(folder.path, "notes.dump")).subarray(0, 500));
    expect(await cli(["space", "load", "broken", "broken.dump"])).toMatchObject({ code: 1 });
    expect(await cli(["space", "show", "broken"])).toMatchObject({ code: 1 });
    expect(await cli(["space", "load", "missing", "missing.dump"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("missing.dump cannot be read"),
    });
    expect(await cli(["space", "move", "copy", "3"])).toMatchObject({ code: 1, err: expect.stringContaining("shard") });
  });

  test("one is changed, and removed when that is meant", async () => {
    await cli(["space", "create", "garden"]);
    const change = ["--name", "Garden", "--public", "on", "--tier", "3"];
    expect(await cli(["space", "update", "garden", ...change])).toMatchObject({
      code: 0,
      out: 'garden is public, of tier 3, "Garden"\n',
    });
    expect(await cli(["space", "update", "garden", "--public", "off"])).toMatchObject({
      code: 0,
      out: 'garden is private, of tier 3, "Garden"\n',
    });
    expect(await cli(["space", "update", "garden"])).toMatchObject({ code: 1, err: expect.stringContaining("--name") });
    expect(await cli(["space", "delete", "garden"])).toMatchObject({ code: 1, err: expect.stringContaining("--yes") });
    const gone = ["space", "delete", "garden", "--yes"];
    expect(await cli(gone)).toMatchObject({ code: 0, out: "garden is removed\n" });
    expect(await cli(gone)).toMatchObject({ code: 1, err: "mainspring: space not found: garden\n" });
    expect(await cli(["space", "create", "garden"])).toMatchObject({ code: 0 });
  });
});

describe("a contested belief", () => {
  const claim = `MUTATE {
    UPSERT CONCEPT ?zoe { MATCH {type: "Person", key: "zoe"} SET FIELDS {name: "Zoe"} }
    UPSERT CONCEPT ?jo { MATCH {type: "Person", key: "jo"} SET FIELDS {name: "Jo"} }
    UPSERT CONCEPT ?kim { MATCH {type: "Person", key: "kim"} SET FIELDS {name: "Kim"} }
    UPSERT CONCEPT ?oslo { MATCH {type: "Place", key: "oslo"} SET FIELDS {name: "Oslo"} }
    UPSERT CONCEPT ?rome { MATCH {type: "Place", key: "rome"} SET FIELDS {name: "Rome"} }
    ASSERT ?a (?zoe, "lives_in", ?oslo) {by: ?jo, mode: "stated", confidence: 0.7}
    ASSERT ?b (?zoe, "lives_in", ?rome) {by: ?kim, mode: "stated"}
  }`;

  test("is shown with who claims what and why none holds, by kip and by recall; as JSON it is as it was", async () => {
    expect(await cli(["kip", "notes", "--write", "-c", claim])).toMatchObject({ code: 0 });
    const query = 'FIND(?home) WHERE { ?p {type: "Person", key: "zoe"} ?home BELIEF SLOT (?p, "lives_in") }';
    const shown = [
      /Zoe \(C-\d+\) lives_in: contested, no value holds: only one value can hold/,
      /Oslo \(C-\d+\): contested\n +stated by Jo \(C-\d+\) at 20\S+Z, confidence 0\.7 \[A-\d+\]/,
      /Rome \(C-\d+\): contested\n +stated by Kim \(C-\d+\) at 20\S+Z \[A-\d+\]/,
    ];
    for (const args of [
      ["kip", "notes", "-c", query],
      ["recall", "notes", "where does Zoe live"],
    ]) {
      const { code, out } = await cli(args);
      expect(code).toBe(0);
      for (const part of shown) expect(out).toMatch(part);
      expect(out.match(/lives_in: contested/g)).toHaveLength(1);
    }
    const { out } = await cli(["recall", "notes", "where does Zoe live"]);
    expect(out).toMatch(/Zoe lives_in Oslo \(contested\)\n {2}\[P-\d+, Proposition, by Jo, 20/);
    const [response] = lines((await cli(["kip", "notes", "--json", "-c", query])).out);
    expect(Object.keys((response as unknown as { results: object[] }).results[0]!)).toEqual([
      "op_id",
      "status",
      "result",
    ]);
  });
});

describe("a script for a Space", () => {
  test("shows plans and help; a claim that was taken back is shown with what became of it", async () => {
    const query = 'FIND(?home) WHERE { ?p {type: "Person", key: "ida"} ?home BELIEF SLOT (?p, "lives_in") }';
    const plan = await cli(["kip", "notes"], `\\plan ${query};\nhelp`);
    expect(plan).toMatchObject({ code: 0, out: expect.stringMatching(/^STEP +VARIABLE[\s\S]*DEFINE PREDICATE/) });
    expect(await cli(["kip", "notes", "-c", "\\bogus"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("bogus"),
    });
    const write = `MUTATE {
      UPSERT CONCEPT ?ida { MATCH {type: "Person", key: "ida"} SET FIELDS {name: "Ida"} }
      UPSERT CONCEPT ?bern { MATCH {type: "Place", key: "bern"} SET FIELDS {name: "Bern"} }
      ASSERT ?a (?ida, "lives_in", ?bern) {by: ?ida, mode: "stated"}
    };
    TRANSITION ?a TO "retracted" WHERE { ?i {type: "Person", key: "ida"} ?p (?i, "lives_in", ?o) ?a ASSERTION {proposition: ?p} }`;
    const { out } = await cli(["kip", "notes", "--write", "-c", write]);
    const claim = /A-\d+/.exec(out)![0];
    expect((await cli(["kip", "notes", "-c", query])).out).toMatch(
      new RegExp(`stated by Ida \\(C-\\d+\\) at \\S+ \\[${claim}\\]: retracted at \\S+ \\(tx-\\d+\\)`),
    );
    const history = await cli(["kip", "notes", "-c", `HISTORY ELEMENT "${claim}"`]);
    expect(history.out).toContain("lifecycle.status: active → retracted");
  });
});

describe("remember and recall", () => {
  test("what was kept is found, with what it comes from; a repeated key keeps nothing twice", async () => {
    const keep = ["remember", "notes", "-", "--user", "bo", "--idempotency-key", "once"];
    const first = await cli(keep, "Bo grows figs on the roof.");
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^E-\d+\n$/) });
    expect((await cli(keep, "Bo grows figs on the roof.")).out).toBe(first.out);
    const { code, out } = await cli(["recall", "notes", "who grows figs"]);
    expect(code).toBe(0);
    expect(out).toContain("Bo grows figs on the roof.");
    expect(out).toContain(first.out.trim());
    expect(lines((await cli(["recall", "notes", "figs", "--json", "--limit", "1"])).out)).toHaveLength(1);
    expect(await cli(["recall", "notes", "submarines"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("nothing is known"),
    });
    expect(await cli(["remember", "notes", " "])).toMatchObject({ code: 1, err: expect.stringContaining("empty") });
  });
});

describe("kip", () => {
  test("a script on standard input writes with leave only, and results are tables", async () => {
    const script = `// two people
      UPSERT CONCEPT ?a { MATCH {type: "Person", key: "ada"} SET FIELDS {name: "Ada"} };
      UPSERT CONCEPT ?b { MATCH {type: "Person", key: "ben"} SET FIELDS {name: "Ben; the younger"} };`;
    const refused = await cli(["kip", "notes"], script);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("ReadonlyViolation") });
    const written = await cli(["kip", "notes", "--write"], script);
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining("?b = C-") });
    const query = 'FIND(?p.name, ?p.key) WHERE { ?p {type: "Person"} FILTER(?p.key == "ben" || ?p.key == "ada") }';
    const found = await cli(["kip", "notes", "-c", `${query} ORDER BY ?p.key`]);
    expect(found.out).toBe("?p.name           ?p.key\nAda               ada\nBen; the younger  ben\n");
    expect(found.err).toContain("2 rows");
  });

  test("--json prints the response whole; a failed command ends the script with 1", async () => {
    const [first, ...rest] = lines((await cli(["kip", "notes", "--json", "-c", "LIST TYPES LIMIT 1; FIND(?x"])).out);
    expect(first).toMatchObject({ kip: "2.0", status: "succeeded" });
    expect(rest).toMatchObject([{ status: "failed" }]);
    const stopped = await cli(["kip", "notes", "-c", "NONSENSE; LIST TYPES"]);
    expect(stopped).toMatchObject({ code: 1, out: "", err: expect.stringContaining("InvalidSyntax") });
    expect(await cli(["kip", "notes", "-c", " ; "])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no command"),
    });
  });
});

describe("cwt", () => {
  test("a token lets its Space in, with its scope, and no other", async () => {
    const make = async (...flags: readonly string[]): Promise<string> =>
      (await cli(["cwt", "--sub", "ana", ...flags])).out.trim();
    const reader = await make("--aud", "notes", "--scope", "read", "--expires-in", "60");
    const owner = await make("--aud", "notes", "--scope", "*");
    const list = ["kip", "notes", "-c", "LIST TYPES LIMIT 1", "--url", url];
    expect(await cli([...list, "--key", reader])).toMatchObject({ code: 0 });
    expect(await cli([...list, "--write", "--key", reader])).toMatchObject({ code: 1 });
    expect(await cli([...list, "--write", "--key", owner])).toMatchObject({ code: 0 });
    const elsewhere = await make("--aud", "plans", "--scope", "*");
    expect(await cli([...list, "--key", elsewhere])).toMatchObject({ code: 1, err: expect.stringContaining("aud") });
  });

  test("keys are for their owner alone and are never written over", async () => {
    expect(statSync(join(folder.path, "cwt-key")).mode & 0o077).toBe(0);
    expect(await cli(["cwt", "keygen"])).toMatchObject({ code: 1, err: expect.stringContaining("is there already") });
    expect(await cli(["cwt", "--sub", "ana", "--aud", "notes"])).toMatchObject({ code: 2 });
    expect(await cli(["cwt", "--sub", "a", "--aud", "b", "--scope", "read", "--key-file", "-"], "x")).toMatchObject({
      code: 1,
    });
  });
});

describe("without a server", () => {
  test("the command starts one for itself, and what it kept is there afterwards", async () => {
    using elsewhere = temporaryFolder();
    const at = { cwd: elsewhere.path };
    const none = await runToEnd([launcher, "recall", "notes", "tea"], at);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("there is no data") });
    expect(await runToEnd([launcher, "space", "create", "mine"], at)).toMatchObject({ code: 0, out: "mine\n" });
    expect(await runToEnd([launcher, "remember", "mine", "Tea at five."], at)).toMatchObject({ code: 0 });
    expect((await runToEnd([launcher, "recall", "mine", "tea"], at)).out).toContain("Tea at five.");
  });
});

describe("usage", () => {
  const commands = [
    "space",
    ...["create", "list", "show", "update", "move", "verify", "dump", "load", "tokens", "delete"].map(
      (name) => `space ${name}`,
    ),
    "kip",
    "recall",
    "remember",
    "cwt",
    "cwt keygen",
  ];
  test.each(commands)("%s --help has examples", async (command) => {
    const { code, out } = await cli([...command.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("Examples:\n");
  });
});
