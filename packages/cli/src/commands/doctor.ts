/** `mainspring doctor`: what is there, what is missing, and how to get it. */
import type { Command } from "commander";

import { commandEnvironment } from "../config.ts";
import type { Finding } from "../doctor/checks.ts";
import { examine } from "../doctor/checks.ts";
import { addEmbeddedFlags } from "../flags.ts";
import { table } from "../output.ts";
import { examples, EXIT } from "./context.ts";
import type { CommandContext } from "./context.ts";

const MARKS = { ok: "ok", note: "note", missing: "MISSING" } as const;

export function defineCommand(command: Command, { output, exit }: CommandContext): void {
  command
    .option("--json", "the findings as JSON")
    .addHelpText(
      "after",
      examples("mainspring doctor", "mainspring doctor --port 9000 --data-dir /var/lib/mainspring"),
    );
  const given = addEmbeddedFlags(command);
  command.action(async ({ json }: { json?: boolean }) => {
    const findings = await examine({ ...commandEnvironment(), ...given() });
    const healthy = findings.every(({ state }) => state !== "missing");
    output.out(json === true ? `${JSON.stringify({ ok: healthy, findings })}\n` : shown(findings));
    if (!healthy) exit(EXIT.failed);
  });
}

function shown(findings: readonly Finding[]): string {
  const rows = findings.map(({ name, state, detail, remedy }) => [
    MARKS[state],
    name,
    remedy === "" ? detail : `${detail} (${remedy})`,
  ]);
  return table(["STATE", "WHAT", "FOUND"], rows);
}
