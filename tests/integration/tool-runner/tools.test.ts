/** The tools that ship, called as the model calls them. */
import { link, mkdtemp, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@mainspring/kernel";
import { MemoryArtifacts, silentLogger } from "@mainspring/service-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { DirectoryWorkspaces } from "../../../services/tool-runner/src/adapters/files/workspaces.ts";
import { openSandbox } from "../../../services/tool-runner/src/adapters/sandbox/open-sandbox.ts";
import { builtInTools } from "../../../services/tool-runner/src/adapters/tools/built-in.ts";
import { ArgumentChecker } from "../../../services/tool-runner/src/app/arguments.ts";
import { CatalogueExecutor } from "../../../services/tool-runner/src/app/catalogue-executor.ts";
import { Catalogue } from "../../../services/tool-runner/src/app/catalogue.ts";
import { store } from "../../../services/tool-runner/src/app/tool-output.ts";

const MIB = 1024 * 1024;
const artifacts = new MemoryArtifacts();
let outside: string;
let root: string;
let executor: CatalogueExecutor;
let workspaces: DirectoryWorkspaces;
/** Of the session of the test. */
let directory: string;
let session = "";
let sessions = 0;

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), "mainspring-outside-"));
  root = join(outside, "workspaces");
  await writeFile(join(outside, "secret"), "hidden");
  const parts = { clock: systemClock, logger: silentLogger };
  const settings = { sandbox: "auto", sandboxNetwork: false, sandboxMemoryMib: 256 } as const;
  const sandbox = await openSandbox({ ...parts, path: "/usr/local/bin:/usr/bin:/bin" }, settings);
  workspaces = new DirectoryWorkspaces(root, (name) => sandbox.ownerOf(name));
  const keep = (tenant: string, bytes: Uint8Array) => store({ clock: systemClock, artifacts }, tenant, bytes);
  const catalogue = new Catalogue(builtInTools(sandbox, keep));
  const checker = new ArgumentChecker();
  executor = new CatalogueExecutor({ ...parts, artifacts, workspaces, catalogue, checker });
});

afterAll(() => rm(outside, { recursive: true, force: true }));

beforeEach(async () => {
  sessions += 1;
  session = `ses_${sessions}`;
  ({ directory } = await workspaces.of("acme", session));
});

async function call(tool: string, args: unknown, more: { session?: string; tenant?: string } = {}) {
  const ids = {
    run: "run_1",
    call: "call_1",
    attempt: 1,
    idempotencyKey: "k",
    traceparent: "",
    memory: "",
    agent: "",
    caller: "",
  };
  const request = { tenant: "acme", session, ...ids, ...more, tool, argumentsJson: JSON.stringify(args) };
  return await executor.execute(request, new AbortController().signal);
}

/** The answer of a call that is expected to go well. */
async function ask(tool: string, args: unknown, more = {}): Promise<Record<string, unknown>> {
  const said = await call(tool, args, more);
  if (said.outcome !== "completed") throw new Error(said.output);
  return JSON.parse(said.output) as Record<string, unknown>;
}

describe("files", () => {
  test("written, read, edited and found", async () => {
    expect(await ask("write_file", { path: "src/a.txt", content: "one\ntwo\nthree\n" })).toEqual({ size: 14 });
    expect(await ask("read_file", { path: "src/a.txt" })).toEqual({
      content: "one\ntwo\nthree\n",
      encoding: "utf8",
      mime_type: "text/plain",
      size: 14,
      total_lines: 3,
      truncated: false,
    });
    expect(await ask("read_file", { path: "/workspace/src/a.txt", offset: 1, limit: 1 })).toMatchObject({
      content: "two\n",
      truncated: true,
      next_offset: 2,
    });
    expect(await ask("edit_file", { path: "src/a.txt", old_string: "t", new_string: "T", limit: 1 })).toEqual({
      replacements: 1,
      total_matches: 2,
      size: 14,
    });
    expect(await ask("edit_file", { path: "src/a.txt", old_string: "absent", new_string: "" })).toMatchObject({
      replacements: 0,
    });
    expect(await readFile(join(directory, "src/a.txt"), "utf8")).toBe("one\nTwo\nthree\n");
    expect(await ask("search_file", { pattern: "**/*.txt" })).toEqual({
      paths: ["src/a.txt"],
      total_matches: 1,
      scan_truncated: false,
    });
  });

  test("an edit takes text as text", async () => {
    await ask("write_file", { path: "a", content: "cost: 5" });
    await ask("edit_file", { path: "a", old_string: "5", new_string: "$& $1 $$" });
    expect(await readFile(join(directory, "a"), "utf8")).toBe("cost: $& $1 $$");
  });

  test("a file is replaced whole, keeps its permissions, and leaves nothing beside it", async () => {
    await writeFile(join(directory, "run.sh"), "old", { mode: 0o755 });
    await ask("write_file", { path: "run.sh", content: "new" });
    expect((await stat(join(directory, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(directory)).toEqual(["run.sh"]);
  });

  test("bytes that are no text come and go as base64", async () => {
    const bytes = Buffer.from([0, 255, 254, 1, 2, 3]);
    await ask("write_file", { path: "b.png", content: bytes.toString("base64"), encoding: "base64" });
    expect(await readFile(join(directory, "b.png"))).toEqual(bytes);
    expect(await ask("read_file", { path: "b.png" })).toMatchObject({
      content: bytes.toString("base64"),
      encoding: "base64",
      mime_type: "image/png",
    });
    expect(await call("edit_file", { path: "b.png", old_string: "a", new_string: "b" })).toMatchObject({
      outcome: "failed",
      output: expect.stringContaining("not UTF-8"),
    });
  });

  test.each([
    ["latin1", "ä", Buffer.from([0xe4])],
    ["utf16le", "ä", Buffer.from([0xe4, 0])],
  ])("%s", async (encoding, content, bytes) => {
    await ask("write_file", { path: "e", content, encoding });
    expect(await readFile(join(directory, "e"))).toEqual(bytes);
  });

  test("characters that an encoding does not have are not written as others", async () => {
    for (const args of [
      { content: "€", encoding: "latin1" },
      { content: "ä", encoding: "ascii" },
      { content: "\ud800", encoding: "utf8" },
      { content: "*", encoding: "base64" },
    ]) {
      expect(await call("write_file", { path: "e", ...args })).toMatchObject({ outcome: "failed" });
    }
    expect(await readdir(directory)).toEqual([]);
  });

  test("a long text comes in pages that together are the file", async () => {
    const lines = Array.from({ length: 5_000 }, (_, k) => `line ${k} ${"ä".repeat(k % 40)}\n`);
    await ask("write_file", { path: "long", content: lines.join("") });
    let text = "";
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page = await ask("read_file", { path: "long", offset });
      text += String(page["content"]);
      offset = page["next_offset"] as number | undefined;
    }
    expect(text).toBe(lines.join(""));
  });

  test("one very long line shows its beginning and lets the reader go on", async () => {
    await ask("write_file", { path: "wide", content: `${"x".repeat(100_000)}\nlast\n` });
    const page = await ask("read_file", { path: "wide" });
    expect(page).toMatchObject({ truncated: true, line_truncated: true, next_offset: 1 });
    expect(await ask("read_file", { path: "wide", offset: 1 })).toMatchObject({ content: "last\n", truncated: false });
  });

  test("a huge file is refused, and so is huge content", async () => {
    await writeFile(join(directory, "huge"), "");
    await truncate(join(directory, "huge"), 10 * MIB + 1);
    expect(await call("read_file", { path: "huge" })).toMatchObject({ outcome: "failed" });
    await truncate(join(directory, "huge"), 10 * MIB);
    expect(await call("read_file", { path: "huge" })).toMatchObject({ outcome: "completed" });
    const content = "x".repeat(10 * MIB + 1);
    expect(await call("write_file", { path: "new", content })).toMatchObject({ outcome: "failed" });
  });

  test("what is missing or in the way is told without a path of the host", async () => {
    await mkdir(join(directory, "folder"));
    for (const args of [
      { path: "absent" },
      { path: "folder" },
      { path: "absent/x/y" },
      { path: "a\0b" },
      { path: "" },
    ]) {
      const said = await call("read_file", args);
      expect(said.outcome).toBe("failed");
      expect(said.output).not.toContain(root);
    }
    await writeFile(join(directory, "file"), "");
    expect(await call("write_file", { path: "file/x", content: "" })).toMatchObject({ outcome: "failed" });
    expect(await call("write_file", { path: "folder", content: "" })).toMatchObject({ outcome: "failed" });
    expect(await call("write_file", { path: ".", content: "" })).toMatchObject({ outcome: "failed" });
  });
});

describe("out of the workspace", () => {
  const paths = ["../secret", "../../../secret", "/etc/passwd", "a/../../../../secret", "/workspace/../../../secret"];

  test.each(paths)("%s cannot be read or written", async (path) => {
    expect(await call("read_file", { path })).toMatchObject({ outcome: "failed" });
    expect(await call("write_file", { path, content: "mine" })).toMatchObject({ outcome: "failed" });
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("hidden");
  });

  test("`..` is fine as long as it stays inside", async () => {
    await ask("write_file", { path: "a/b/../c.txt", content: "in" });
    expect(await ask("read_file", { path: "a/./c.txt" })).toMatchObject({ content: "in" });
  });

  test("a link leads nowhere outside, as a file or on the way", async () => {
    await symlink(join(outside, "secret"), join(directory, "link"));
    await symlink(outside, join(directory, "folder"));
    await symlink(join(outside, "not-yet"), join(directory, "dangling"));
    for (const path of ["link", "folder/secret"]) {
      expect(await call("read_file", { path })).toMatchObject({ outcome: "failed" });
    }
    for (const path of ["link", "folder/secret", "folder/new", "dangling", "dangling/new"]) {
      expect(await call("write_file", { path, content: "mine" })).toMatchObject({ outcome: "failed" });
    }
    expect(await call("edit_file", { path: "link", old_string: "h", new_string: "H" })).toMatchObject({
      outcome: "failed",
    });
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("hidden");
    expect(await readdir(outside)).toEqual(["secret", "workspaces"]);
    expect(await ask("search_file", { pattern: "**" })).toMatchObject({ paths: [] });
  });

  test("a link that stays inside may be read, not written through", async () => {
    await ask("write_file", { path: "real", content: "in" });
    await symlink("real", join(directory, "alias"));
    expect(await ask("read_file", { path: "alias" })).toMatchObject({ content: "in" });
    expect(await call("write_file", { path: "alias", content: "x" })).toMatchObject({ outcome: "failed" });
    expect(await ask("search_file", { pattern: "*" })).toMatchObject({ paths: ["real"] });
  });

  test("a file with a second name is not touched", async () => {
    await link(join(outside, "secret"), join(directory, "hard"));
    for (const tool of ["read_file", "write_file"]) {
      expect(await call(tool, { path: "hard", content: "x" })).toMatchObject({ outcome: "failed" });
    }
    await rm(join(directory, "hard"));
  });

  test("a pipe does not hold the reader up", async () => {
    await ask("shell", { command: "mkfifo pipe" });
    expect(await call("read_file", { path: "pipe" })).toMatchObject({
      outcome: "failed",
      output: expect.stringContaining("not a regular file"),
    });
  });

  test("sessions and tenants do not see each other's files", async () => {
    await ask("write_file", { path: "mine", content: "x" });
    expect(await call("read_file", { path: "mine" }, { session: "ses_other" })).toMatchObject({ outcome: "failed" });
    expect(await call("read_file", { path: "mine" }, { tenant: "other" })).toMatchObject({ outcome: "failed" });
    const strange = { tenant: "../..", session: "../../x" };
    await ask("write_file", { path: "y", content: "x" }, strange);
    expect((await readdir(outside)).sort()).toEqual(["secret", "workspaces"]);
  });
});

describe("search", () => {
  test("patterns, limits and order", async () => {
    for (const path of ["b.ts", "a.ts", "src/c.ts", "src/deep/d.js"]) await ask("write_file", { path, content: "" });
    const find = async (pattern: string, more = {}) => (await ask("search_file", { pattern, ...more }))["paths"];
    expect(await find("*.ts")).toEqual(["a.ts", "b.ts"]);
    expect(await find("**/*.{ts,js}")).toEqual(["a.ts", "b.ts", "src/c.ts", "src/deep/d.js"]);
    expect(await find("./src/*")).toEqual(["src/c.ts"]);
    expect(await find("/workspace/src/**")).toEqual(["src/c.ts", "src/deep/d.js"]);
    expect(await ask("search_file", { pattern: "**", limit: 1 })).toMatchObject({ paths: ["a.ts"], total_matches: 4 });
    expect(await find("../*")).toEqual([]);
  });

  test("it stops after ten thousand entries and says so", async () => {
    await ask("shell", { command: "mkdir many && cd many && seq 1 10100 | xargs touch" });
    const found = await ask("search_file", { pattern: "**" });
    expect(found).toMatchObject({ scan_truncated: true });
    expect((found["paths"] as unknown[]).length).toBe(1_000);
  });
});

describe("shell", () => {
  test("a command is all it needs, and it shares the files with the file tools", async () => {
    await ask("write_file", { path: "in.txt", content: "from a tool" });
    const said = await ask("shell", {
      command: "cat in.txt; echo from a command > out.txt; echo more >> in.txt; exit 3",
    });
    expect(said).toEqual({ exit_status: 3, stdout: "from a tool", stderr: "" });
    expect(await ask("read_file", { path: "out.txt" })).toMatchObject({ content: "from a command\n" });
    await ask("edit_file", { path: "out.txt", old_string: "a command", new_string: "both" });
    expect(await ask("shell", { command: "cat out.txt && rm out.txt in.txt" })).toMatchObject({
      stdout: "from both\n",
    });
  });

  test("a time limit is an answer, not an error", async () => {
    expect(await ask("shell", { command: "echo begun; sleep 1000", timeout_ms: 200 })).toMatchObject({
      exit_status: null,
      ended_by: "timeout",
      stdout: "begun\n",
    });
  });

  test("of long output the true head and the true tail are shown, and an artifact has all of it", async () => {
    const said = await call("shell", { command: "echo first; seq 1000000; echo last; echo careful >&2" });
    expect(said.artifact).toBe("");
    const { stdout, stdout_artifact: digest, ...rest } = JSON.parse(said.output) as Record<string, string>;
    expect(rest).toEqual({ exit_status: 0, stdout_bytes: 6_888_907, stderr: "careful\n" });
    expect(stdout).toMatch(/^first\n1\n2\n/);
    expect(stdout).toMatch(/\n999999\n1000000\nlast\n$/);
    expect(stdout).toContain(`[… the middle of 6888907 bytes is left out; all is artifact ${digest} …]`);
    const whole = new TextDecoder().decode((await artifacts.get("acme", digest!))!);
    expect([whole.length, whole.slice(0, 8), whole.slice(-13)]).toEqual([6_888_907, "first\n1\n", "1000000\nlast\n"]);
  });

  test("of a flood the middle is not kept, and that is said where it was", async () => {
    const said = await call("shell", { command: "echo first; head -c 20000000 /dev/zero | tr '\\0' x; echo last" });
    const { stdout, stdout_artifact: digest } = JSON.parse(said.output) as Record<string, string>;
    const lost = 20_000_011 - 8 * 1024 * 1024;
    expect(stdout).toMatch(/^first\nx+\n\[… .* …\]\nx+last\n$/);
    expect(stdout).toContain(`all but ${lost} bytes in the middle is artifact ${digest}`);
    const kept = new TextDecoder().decode((await artifacts.get("acme", digest!))!);
    expect(kept).toMatch(new RegExp(`^first\\nx+\\n\\[… ${lost} bytes were not kept …\\]\\nx+last\\n$`));
  });

  test("two long streams share the room, and what fits together is whole", async () => {
    const said = await call("shell", { command: "seq 100000; echo out; seq 100000 >&2; echo err >&2" });
    const both = JSON.parse(said.output) as Record<string, string>;
    expect(Buffer.byteLength(said.output)).toBeLessThanOrEqual(32 * 1024);
    expect(both["stdout"]).toMatch(/^1\n[^]*100000\nout\n$/);
    expect(both["stderr"]).toMatch(/^1\n[^]*100000\nerr\n$/);
    const fits = await call("shell", {
      command: "head -c 20000 /dev/zero | tr '\\0' x; head -c 9000 /dev/zero | tr '\\0' y >&2",
    });
    const whole = JSON.parse(fits.output) as Record<string, string>;
    expect(whole).toEqual({ exit_status: 0, stdout: "x".repeat(20_000), stderr: "y".repeat(9_000) });
  });

  test.each([{}, { command: "" }, { command: 1 }, { command: "true", timeout_ms: 200_000 }])(
    "%j is refused",
    async (args) => {
      expect(await call("shell", args)).toMatchObject({ outcome: "failed" });
    },
  );
});

describe("calculator", () => {
  test("computes, and says what it cannot", async () => {
    expect(await call("calculator", { expression: "2 * (3 + 4)" })).toMatchObject({
      outcome: "completed",
      output: "14",
    });
    expect(await call("calculator", { expression: "1 / 0" })).toMatchObject({
      outcome: "failed",
      output: expect.stringContaining("division by zero"),
    });
  });
});

describe("notes and to-do lists", () => {
  test("notes are kept for the session, whoever runs the tool", async () => {
    const items = [
      { id: "a", content: "one" },
      { id: "b", content: "two" },
      { id: "a", content: "last wins" },
    ];
    expect(await ask("note", { op: "set", items })).toMatchObject({ success: true, notes: 2 });
    await ask("note", { op: "upsert", items: [{ id: "c", content: "three" }] });
    await ask("note", { op: "delete", items: [{ id: "b" }, { id: "absent" }] });
    const notes = [
      { id: "a", content: "last wins" },
      { id: "c", content: "three" },
    ];
    expect(await ask("note", {})).toEqual({ notes });
    expect(await ask("note", {}, { session: "ses_other" })).toEqual({ notes: [] });
    workspaces = new DirectoryWorkspaces(root, () => null);
    expect(await ask("note", { op: "read" })).toEqual({ notes });
  });

  test("notes over the limit are refused whole", async () => {
    await ask("note", { op: "set", items: [{ id: "a", content: "kept" }] });
    const said = await ask("note", { op: "upsert", items: [{ id: "b", content: "x".repeat(16_384) }] });
    expect(said).toMatchObject({ success: false });
    expect(await ask("note", {})).toEqual({ notes: [{ id: "a", content: "kept" }] });
  });

  test("a to-do list", async () => {
    await ask("todo", {
      op: "set",
      items: [
        { id: "1", content: "plan" },
        { id: "2", content: "do" },
      ],
    });
    await ask("todo", {
      op: "update",
      items: [
        { id: "1", status: "completed" },
        { id: "3", content: "new" },
      ],
    });
    expect(await ask("todo", {})).toEqual({
      items: [
        { id: "1", content: "plan", status: "completed" },
        { id: "2", content: "do", status: "pending" },
        { id: "3", content: "new", status: "pending" },
      ],
    });
    expect(await call("todo", { op: "set", items: [{ id: "1", status: "x" }] })).toMatchObject({ outcome: "failed" });
  });

  test("neither is within a command's reach", async () => {
    await ask("note", { op: "set", items: [{ id: "a", content: "kept" }] });
    expect(await ask("shell", { command: "find . -name '*.json'; find . | wc -l" })).toMatchObject({ stdout: "1\n" });
  });
});
