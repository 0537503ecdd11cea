/** What a command can do, and what is left of it. Where there is no bubblewrap only the process group is tested. */
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sleep, systemClock } from "@mainspring/kernel";
import { silentLogger } from "@mainspring/service-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openSandbox } from "../../../services/tool-runner/src/adapters/sandbox/open-sandbox.ts";
import type { SandboxSettings } from "../../../services/tool-runner/src/adapters/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../../services/tool-runner/src/ports/sandbox.ts";
import type { Workspace } from "../../../services/tool-runner/src/ports/tool.ts";
import { processesNamed } from "../../support/processes.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const SETTINGS: SandboxSettings = { sandbox: "auto", sandboxNetwork: false, sandboxMemoryMib: 128 };

let root: string;
let workspace: Workspace;

async function open(more: Partial<SandboxSettings> = {}): Promise<Sandbox> {
  return await openSandbox({ clock: systemClock, logger: silentLogger, path: PATH }, { ...SETTINGS, ...more });
}

const found = await open();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "mainspring-sandbox-"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function use(sandbox: Sandbox, name: string): Promise<void> {
  const owner = sandbox.ownerOf(name);
  workspace = { directory: join(root, name), stateDirectory: join(root, `${name}.state`), owner };
  await mkdir(workspace.directory, { mode: 0o700 });
  if (owner !== null) await chown(workspace.directory, owner, owner);
}

async function run(sandbox: Sandbox, command: string, timeoutMs = 30_000, signal = new AbortController().signal) {
  const { stdout, stderr, ...rest } = await sandbox.run({ command, workspace, timeoutMs }, signal);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { ...rest, stdout: text(stdout.bytes), stderr: text(stderr.bytes), stdoutBytes: stdout.totalBytes };
}

describe.each(["bubblewrap", "process group"] as const)("a command in a %s", (kind) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = kind === "bubblewrap" ? found : await open({ sandbox: "none" });
    await use(sandbox, kind.replace(" ", "-"));
  });
  const it = test.skipIf(kind !== found.kind && kind === "bubblewrap");

  it("is the one that was asked for, and says what it promises", () => {
    expect(sandbox.kind).toBe(kind);
    expect(sandbox.promise).toContain(kind === "bubblewrap" ? "no network" : "WARNING");
  });

  it("says how it ended, and works in the workspace", async () => {
    expect(await run(sandbox, "echo out; echo err >&2; exit 7")).toMatchObject({
      exitStatus: 7,
      reason: "",
      stdout: "out\n",
      stderr: "err\n",
    });
    await run(sandbox, "echo kept > file && mkdir -p a/b");
    expect((await run(sandbox, "cat file; ls -d a/b")).stdout).toBe("kept\na/b\n");
  });

  it("gets safe variables only", async () => {
    const { stdout } = await run(sandbox, "env");
    const names = stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    const safe = ["HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER"];
    expect(new Set(names)).toEqual(new Set(safe));
  });

  it("gets no input", async () => {
    expect(await run(sandbox, "cat; echo over")).toMatchObject({ stdout: "over\n" });
  });

  it("is stopped when its time is up, with what it said until then", async () => {
    const said = await run(sandbox, "echo begun; sleep 1000", 300);
    expect(said).toMatchObject({ exitStatus: null, reason: "timeout", stdout: "begun\n" });
  });

  it("may say good-bye when it is stopped", async () => {
    const said = await run(sandbox, "trap 'echo bye; exit 1' TERM; sleep 1000 & wait", 300);
    expect(said).toMatchObject({ reason: "timeout", stdout: "bye\n" });
  });

  it("is killed with all its children when it is cancelled, even if they do not listen", async () => {
    const name = `101${kind.length}.5`;
    const cancel = new AbortController();
    const command = `trap '' TERM; (trap '' TERM; sleep ${name} & sleep ${name} & wait) & sleep ${name}`;
    const running = run(sandbox, command, 30_000, cancel.signal);
    while (processesNamed(`sleep ${name}`) < 3) await sleep(systemClock, 5);
    cancel.abort();
    expect(await running).toMatchObject({ exitStatus: null, reason: "cancelled" });
    expect(processesNamed(`sleep ${name}`)).toBe(0);
  });

  it("leaves nothing in the background", async () => {
    const name = `102${kind.length}.5`;
    expect(await run(sandbox, `sleep ${name} & echo started`)).toMatchObject({ exitStatus: 0, stdout: "started\n" });
    while (processesNamed(`sleep ${name}`) > 0) await sleep(systemClock, 5);
  });

  it("can say more than is kept: it is counted", async () => {
    const said = await run(sandbox, "head -c 20000000 /dev/zero");
    expect(said).toMatchObject({ exitStatus: 0, stdoutBytes: 20_000_000 });
    expect(said.stdout.length).toBe(8 * 1024 * 1024);
  });

  it("that was cancelled before it began does not begin", async () => {
    expect(await run(sandbox, "touch begun", 1_000, AbortSignal.abort())).toMatchObject({ reason: "cancelled" });
    expect((await run(sandbox, "ls begun")).exitStatus).not.toBe(0);
  });
});

describe.skipIf(found.kind !== "bubblewrap")("out of bubblewrap", () => {
  beforeAll(() => use(found, "escape"));

  test("no file of the host can be read", async () => {
    const secret = join(root, "secret");
    await writeFile(secret, "hidden", { mode: 0o644 });
    const said = await run(found, `cat ${secret} /etc/shadow /etc/passwd /root/.profile; ls ${root} /home /var /srv`);
    expect(said.stdout).toBe("");
    expect(said.exitStatus).not.toBe(0);
  });

  test("nothing but the workspace and /tmp can be written", async () => {
    const said = await run(
      found,
      "for d in / /usr /usr/bin /etc /dev /proc /sys; do touch $d/x && echo wrote $d; done; touch /tmp/x",
    );
    expect(said).toMatchObject({ exitStatus: 0 });
    // /dev is a small file system of the sandbox's own.
    expect(said.stdout.replace("wrote /dev\n", "")).toBe("");
  });

  test("a link in the workspace leads nowhere outside", async () => {
    expect((await run(found, `ln -s ${root}/secret link && cat link`)).exitStatus).not.toBe(0);
  });

  test("nobody can be reached over the network", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    const inside = await run(found, `bash -c '${connect}'`);
    expect(inside).toMatchObject({ stdout: "" });
    expect(inside.exitStatus).not.toBe(0);
    const granted = await open({ sandboxNetwork: true });
    expect((await run(granted, `bash -c '${connect}'`)).stdout).toBe("reached");
    await new Promise((resolve) => server.close(resolve));
  });

  test("other processes cannot be seen or signalled", async () => {
    const { stdout } = await run(found, `kill -0 ${process.pid} && echo alive; ls /proc | grep -c '^[0-9]'`);
    expect(stdout).not.toContain("alive");
    expect(Number(stdout)).toBeLessThan(10);
  });

  test("a fork bomb ends, and leaves nothing", async () => {
    const bomb = "b() { b | b & }; b; wait; sleep 1063.5";
    const said = await run(found, bomb, 1_500);
    expect(said.stderr).toMatch(/fork/i);
    expect(processesNamed("sleep 1063.5")).toBe(0);
  });

  test("memory is limited", async () => {
    const said = await run(found, "head -c 400M /dev/zero | tail -c 400M | wc -c");
    expect(said.stderr).toContain("memory exhausted");
  });

  test("no namespace can be made in which it would be root, and threads and processes still can", async () => {
    expect((await run(found, "unshare -U id -u || echo refused")).stdout).toBe("refused\n");
    expect((await run(found, "(echo a | cat) & wait; bash -c 'echo b'")).stdout).toBe("a\nb\n");
  });

  test("it does not learn where on the host it is", async () => {
    expect((await run(found, "cat /proc/*/cmdline")).stdout).not.toContain(root);
  });

  test("programs that the system finds by links work", async () => {
    expect((await run(found, "echo 1 2 | awk '{ print $2 }'")).stdout).toBe("2\n");
  });

  test("rights cannot be regained", async () => {
    const said = await run(found, "id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; mount -t tmpfs x /tmp");
    const lines = said.stdout.trim().split("\n");
    expect(Number(lines[0])).toBeGreaterThan(0);
    expect(lines.slice(1).map((line) => Number.parseInt(line.split("\t")[1]!, 16))).toEqual([0, 0, 1]);
    expect(said.exitStatus).not.toBe(0);
  });
});

test("where bubblewrap is required and missing, nothing starts", async () => {
  const nowhere = { clock: systemClock, logger: silentLogger, path: root };
  await expect(openSandbox(nowhere, { ...SETTINGS, sandbox: "bubblewrap" })).rejects.toThrow(/MAINSPRING_SANDBOX/);
  expect((await openSandbox(nowhere, SETTINGS)).kind).toBe("process group");
});
