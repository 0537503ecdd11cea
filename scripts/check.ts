/** `npm run check`: what can be known of a change in under a minute. Says what failed and how to mend it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name: string): string => join(root, "node_modules/.bin", name);

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly remedy?: string;
}

const STEPS: readonly Step[] = [
  { name: "format", command: bin("oxfmt"), args: ["--check", "."], remedy: "npm run format" },
  { name: "lint", command: bin("oxlint"), args: ["--type-aware", "--quiet"] },
  { name: "types", command: bin("tsc"), args: ["--noEmit", "-p", "."] },
  { name: "contracts", command: process.execPath, args: ["scripts/gen.ts", "--check"], remedy: "npm run gen" },
  {
    name: "generated documentation",
    command: process.execPath,
    args: ["scripts/gen-docs.ts", "--check"],
    remedy: "npm run gen",
  },
  { name: "dead code", command: bin("knip"), args: ["--no-progress", "--no-config-hints"] },
  {
    name: "tidy and unit tests",
    command: bin("vitest"),
    args: ["run", "--project", "tidy", "--project", "unit", "--passWithNoTests", "--reporter", "dot"],
  },
];

interface Result {
  readonly code: number | null;
  readonly output: string;
}

function execute({ command, args }: Step): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

const failed: string[] = [];
for (const step of STEPS) {
  const startedMs = performance.now();
  const { code, output } = await execute(step);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`);
  if (code === 0) continue;
  failed.push(step.name);
  console.log(output.trimEnd().replaceAll(/^/gm, "  "));
  if (step.remedy !== undefined) console.log(`  to mend it: ${step.remedy}`);
}
console.log(failed.length === 0 ? "all checks passed" : `failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
