/**
 * Types of the contract from the protos: `node scripts/gen.ts` writes them, `--check` lints the protos, generates
 * into a temporary directory and fails when the committed types differ.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { LOADER_OPTIONS, PROTO_FILES } from "../packages/contracts/src/loader-options.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "packages/contracts/src/gen");
const bin = (name: string): string => join(root, "node_modules/.bin", name);

function loaderFlags(): string[] {
  return Object.entries(LOADER_OPTIONS).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, value],
  );
}

/** Generates everything below `outDir`: one file a message and service, and one module of message types a package. */
function generate(outDir: string): void {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const flags = ["--grpcLib", "@grpc/grpc-js", "--importFileExtension", ".ts", "--includeComments"];
  const directories = ["--includeDirs", "protos", "--outDir", outDir];
  execFileSync(bin("proto-loader-gen-types"), [...loaderFlags(), ...flags, ...directories, ...PROTO_FILES], {
    cwd: root,
    stdio: "inherit",
  });
  // The roots describe grpc-js client classes, which nothing here uses.
  for (const file of readdirSync(outDir)) if (file.endsWith(".ts")) rmSync(join(outDir, file));
  for (const file of PROTO_FILES) writeMessageModule(outDir, file);
}

function writeMessageModule(outDir: string, protoFile: string): void {
  const folder = protoFile.slice(0, protoFile.lastIndexOf("/"));
  const name = protoFile.slice(protoFile.lastIndexOf("/") + 1, -".proto".length);
  const lines = readdirSync(join(outDir, folder))
    .map((file) => file.slice(0, -".ts".length))
    .filter((message) => !message.endsWith("Service"))
    .sort()
    .map((message) => `export type { ${message}, ${message}__Output } from './${folder}/${message}.ts';`);
  writeFileSync(join(outDir, `${name}.ts`), `// Messages of ${protoFile}\n\n${lines.join("\n")}\n`);
}

function filesBelow(directory: string): Map<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(directory.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

function check(): void {
  execFileSync(bin("buf"), ["lint"], { cwd: root, stdio: "inherit" });
  const temporary = mkdtempSync(join(tmpdir(), "mainspring-gen-"));
  try {
    const fresh = join(temporary, "gen");
    generate(fresh);
    const expected = filesBelow(fresh);
    const actual = filesBelow(target);
    const names = [...new Set([...expected.keys(), ...actual.keys()])].sort();
    const different = names.filter((name) => expected.get(name) !== actual.get(name));
    if (expected.size === 0) throw new Error("the generator wrote nothing");
    if (different.length > 0) {
      console.error(`generated types differ from the protos; run \`npm run gen\`:\n  ${different.join("\n  ")}`);
      process.exitCode = 1;
      return;
    }
    console.log(`protos lint, and ${expected.size} generated files match them`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (process.argv.includes("--check")) check();
else generate(target);
