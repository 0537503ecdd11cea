/** What commands that are clients of the API have in common. */
import type { ApiClient } from "@mainspring/client";
import { SAME_SIGNAL_MS } from "@mainspring/service-kit/settings";
import type { Environment } from "@mainspring/service-kit/settings";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";

import { attach } from "../attach.ts";
import type { Need } from "../attach.ts";
import type { Output } from "../output.ts";

/** Exit codes of the command. A wrong configuration of a server is 78, as with its services. */
export const EXIT = { ok: 0, failed: 1, usage: 2, configuration: 78, interrupted: 130 } as const;

export interface CommandContext {
  readonly output: Output;
  /** Set by a command that does not end with 0. */
  readonly exit: (code: number) => void;
}

/** --url, --key and --data-dir. */
export function addClientFlags(command: Command): Command {
  return command
    .optionsGroup("Server:")
    .option("--url <url>", "server to talk to (default: the one on the data directory) [MAINSPRING_URL]")
    .option("--key, --api-key <key>", "API key (default: the data directory's admin key) [MAINSPRING_API_KEY]")
    .option(
      "--data-dir <path>",
      "where the local server keeps its data (default: ./.mainspring) [MAINSPRING_DATA_DIR]",
    );
}

/** A data directory that is named on the command line says which server, whatever the environment says. */
export function clientFlags(command: Command): Environment {
  const { url, apiKey, dataDir } = command.opts<{ url?: string; apiKey?: string; dataDir?: string }>();
  return {
    ...(dataDir === undefined ? {} : { MAINSPRING_URL: "", MAINSPRING_API_KEY: "" }),
    ...(url === undefined ? {} : { MAINSPRING_URL: url }),
    ...(apiKey === undefined ? {} : { MAINSPRING_API_KEY: apiKey }),
    ...(dataDir === undefined ? {} : { MAINSPRING_DATA_DIR: dataDir }),
  };
}

/** Runs it with a client, and closes what was opened for it. Ctrl-C aborts the signal; a second one ends the command. */
export async function withClient(
  command: Command,
  { output, exit }: CommandContext,
  work: (client: ApiClient, signal: AbortSignal) => Promise<void>,
  need: Need = "reads",
): Promise<void> {
  const interrupt = new AbortController();
  let interruptedMs = 0;
  const onSignal = (): void => {
    if (!interrupt.signal.aborted) {
      interruptedMs = performance.now();
      interrupt.abort();
    } else if (performance.now() - interruptedMs > SAME_SIGNAL_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  try {
    const attached = await attach(clientFlags(command), output, need);
    try {
      await work(attached.client, interrupt.signal);
    } catch (error) {
      if (!interrupt.signal.aborted || error !== interrupt.signal.reason) throw error;
    } finally {
      await attached.close();
    }
    if (interrupt.signal.aborted) exit(EXIT.interrupted);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  }
}

/** Reads a flag that is a whole number. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
