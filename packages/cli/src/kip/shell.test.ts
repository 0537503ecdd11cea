import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import type { ApiClient } from "@mainspring/client";
import type { KipResponse } from "@mainspring/kip";
import { MainspringError } from "@mainspring/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";

import { fileHistory } from "../history.ts";
import type { Output } from "../output.ts";
import { cardOf } from "./card.ts";
import { runScript } from "./script.ts";
import { KipShell } from "./shell.ts";
import { SpaceSession } from "./space-session.ts";

let folder: string;
let sent: { readonly path: string; readonly command: string }[];
let out: string;
let err: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mainspring-shell-"));
  sent = [];
  out = "";
  err = "";
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const output: Output = {
  out: (text) => void (out += text),
  err: (text) => void (err += text),
  dim: (text) => text,
  columns: 80,
};

const RESULTS: Readonly<Record<string, KipResponse["results"][number]["result"]>> = {
  "LIST TYPES LIMIT 1000": [{ local_name: "Person" }],
  "FIND(?x)\nWHERE { }": ["Ana"],
  'VALIDATE KQL "FIND(?x) WHERE { }"': {
    valid: true,
    plan: [{ depth: 0, pattern: "concept", variable: "?x", access: "scan", rows_per_input: 3, filters: 1 }],
  },
  'VALIDATE KQL "FIND"': { valid: false, errors: [{ code: "InvalidSyntax", message: "expected (", hint: "" }] },
};

const client = {
  async post(path: string, body: { readonly operations: readonly { readonly command: string }[] }) {
    const results = body.operations.map(({ command }) => {
      if (!command.startsWith("LIST")) sent.push({ path, command });
      if (command === "LIST TYPES") throw new MainspringError("unavailable", "no server answers");
      return { op_id: "0", status: "succeeded", result: RESULTS[command] ?? null };
    });
    return { kip: "2.0", status: "succeeded", results };
  },
} as unknown as ApiClient;

const STATEMENTS = (
  "FIND SEARCH DEFINE CREATE UPSERT ENSURE MUTATE ASSERT UPDATE TRANSITION MERGE SET PURGE DESCRIBE LIST HISTORY CHANGES " +
  "VALIDATE PREVIEW"
).split(" ");

interface Piece {
  /** What the screen must show before the keys are typed. */
  readonly after: string;
  readonly keys: string;
}

/** Types the keys, then leaves. */
async function type(typed: string | readonly Piece[], writes = false): Promise<void> {
  const [input, screen] = [new PassThrough(), new PassThrough()];
  let seen = "";
  screen.setEncoding("utf8").on("data", (text: string) => (seen += text));
  const shell = new KipShell(new SpaceSession(client, "notes", writes), output);
  const running = shell.run({ input, output: screen }, fileHistory(join(folder, "history")));
  for (const { after, keys } of typeof typed === "string" ? [{ after: "", keys: typed }] : typed) {
    await expect.poll(() => seen).toContain(after);
    input.write(keys);
  }
  input.end();
  await running;
}

test("a command of several lines is sent when it is whole, and its result is a table", async () => {
  await type("FIND(?x)\nWHERE { }\n");
  expect(sent).toEqual([{ path: "/v1/spaces/notes/execute_kip_readonly", command: "FIND(?x)\nWHERE { }" }]);
  expect(out).toBe("?x\nAna\n");
  expect(err).toContain("1 row");
});

test("with leave to write it uses the route that writes", async () => {
  await type("DESCRIBE PRIMER;\n", true);
  expect(sent).toEqual([{ path: "/v1/spaces/notes/execute_kip", command: "DESCRIBE PRIMER" }]);
});

test("an empty line sends what is not whole; Ctrl-C drops it", async () => {
  await type([
    { after: "", keys: "FIND(?y)\n" },
    { after: "... ", keys: "\u0003DESCRIBE PRIMER\nFIND(?x)\n\n" },
  ]);
  expect(sent.map(({ command }) => command.trim())).toEqual(["DESCRIBE PRIMER", "FIND(?x)"]);
});

test("\\plan shows how a query would be answered, or why it would not", async () => {
  await type("\\plan FIND(?x) WHERE { };\n\\plan FIND\n");
  expect(out).toBe("STEP     VARIABLE  ACCESS  ROWS  FILTERS\nconcept  ?x        scan    3     1\n");
  expect(err).toContain("InvalidSyntax: expected (");
  expect(sent.every(({ path }) => path.endsWith("_readonly"))).toBe(true);
});

test("a failure is told and the shell goes on; \\json and \\symbols work; \\quit ends it", async () => {
  await type("LIST TYPES;\n\\symbols\n\\json\nDESCRIBE PRIMER\n\\quit\nDESCRIBE PRIMER\n");
  expect(err).toContain("no server answers");
  expect(out).toMatch(/^Person\n\{"kip"/);
  expect(sent).toHaveLength(1);
});

test("help shows the language by groups, \\help a topic; what is no command is said to be none", async () => {
  await type("help\nHELP;\n\\help\n");
  expect(out.match(/^ask$/gm)).toHaveLength(2);
  expect(out).toContain("DEFINE PREDICATE");
  expect(err).toContain("\\plan FIND");
  out = "";
  await type("\\help purge\n\\help nonsense\n\\bogus\n\\plam FIND\n");
  expect(out).toMatch(/^change\n[\s\S]*REFERENCE POLICY/);
  expect(out).not.toContain("ASSERT ?a");
  expect(err).toContain("there is no help on nonsense");
  expect(err).toContain("there is no command \\bogus; \\help shows");
  expect(err).toContain("there is no command \\plam; did you mean \\plan?");
  expect(sent).toEqual([]);
});

test("every statement on the card is one of the language", () => {
  const words = cardOf("")!.matchAll(/(?:^ {2}| {3})([A-Z]{3,})\b/gm);
  const unknown = [...words].map(([, word]) => word!).filter((word) => !STATEMENTS.includes(word));
  expect(unknown).toEqual([]);
  for (const word of STATEMENTS) expect(cardOf(word), word).toMatch(new RegExp(`(?:^| ) {2}${word}\\b`, "m"));
});

test("a script has plans and help too, and stops at a command of the shell that there is not", async () => {
  const run = (script: string) =>
    runScript(new SpaceSession(client, "notes", false), script, false, output, new AbortController().signal);
  expect(await run("\\plan FIND(?x) WHERE { };\n\\symbols\nFIND(?x)\nWHERE { }")).toBe(true);
  expect(out).toMatch(/^STEP[\s\S]*concept[\s\S]*Person\n\?x\nAna\n$/);
  expect(await run("\\plan FIND")).toBe(false);
  sent = [];
  expect(await run("\\bogus\nDESCRIBE PRIMER")).toBe(false);
  expect(sent).toEqual([]);
  expect(await run("help")).toBe(true);
});

test("Tab completes symbols of the Space", async () => {
  await type([
    { after: "", keys: 'FIND(?x) WHERE { ?x {type: "Pe\t' },
    { after: 'Person"', keys: "} }\n" },
  ]);
  expect(sent[0]?.command).toBe('FIND(?x) WHERE { ?x {type: "Person"} }');
});

test("what was typed is there again the next time, for its owner alone", async () => {
  await type("DESCRIBE PRIMER;\n");
  const file = join(folder, "history");
  expect(readFileSync(file, "utf8")).toBe("DESCRIBE PRIMER;\n");
  expect(statSync(file).mode & 0o077).toBe(0);
  await type("\u001b[A\n");
  expect(sent.map(({ command }) => command)).toEqual(["DESCRIBE PRIMER", "DESCRIBE PRIMER"]);
  fileHistory(join(folder, "nowhere", "history")).save(["x"]);
});
