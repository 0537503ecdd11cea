/** Commands that begin with a backslash, and `help`: of the shell, where somebody types and in scripts. */
import { MainspringError, nearest } from "@mainspring/kernel";

import type { Output } from "../output.ts";
import { cardOf, cardTopics, helpTopic } from "./card.ts";
import { SHELL_COMMANDS } from "./completion.ts";
import { printPlan } from "./plan.ts";
import type { SpaceSession } from "./space-session.ts";

const HELP = String.raw`A command ends with ; or with the line that makes it whole. Ctrl-C drops what was typed, Ctrl-D leaves.
  help           the statements of the language
  \help TOPIC    those of one topic, like ASSERT or PURGE
  \plan FIND …   how a query would be answered
  \symbols       types, predicates, facets and structural fields of the Space
  \json          results as JSON, and back
  \quit          leaves
`;

export interface ShellSettings {
  asJson: boolean;
  readonly symbols: () => Promise<readonly string[]>;
}

export const isShellCommand = (command: string): boolean =>
  command.trimStart().startsWith("\\") || helpTopic(command) !== null;

/** "failed" where what was asked for cannot be had. Rejects where the Space cannot be asked. */
export async function runShellCommand(
  line: string,
  session: SpaceSession,
  settings: ShellSettings,
  output: Output,
  signal?: AbortSignal,
): Promise<"on" | "quit" | "failed"> {
  const topic = helpTopic(line);
  if (topic !== null) return printCard(topic, output);
  const [, name = "", rest = ""] = /^\s*\\(\w*)\s*([\s\S]*?);?\s*$/.exec(line)!;
  switch (name) {
    case "quit":
    case "q":
      return "quit";
    case "json":
      settings.asJson = !settings.asJson;
      return "on";
    case "symbols":
      output.out(`${(await settings.symbols()).join("\n")}\n`);
      return "on";
    case "plan":
      return (await printPlan(rest, session, settings.asJson, output, signal)) ? "on" : "failed";
    case "help":
      if (rest !== "") return printCard(rest, output);
      output.err(HELP);
      return "on";
    default:
      output.err(`${unknown(`\\${name}`)}\n`);
      return "failed";
  }
}

function unknown(name: string): string {
  const near = nearest(name, SHELL_COMMANDS);
  return `there is no command ${name}${near === undefined ? "" : `; did you mean ${near}?`}; \\help shows those that there are`;
}

function printCard(topic: string, output: Output): "on" | "failed" {
  const card = cardOf(topic);
  if (card === null)
    throw new MainspringError(
      "not_found",
      `there is no help on ${topic}; topics are ${cardTopics.join(", ")} and the words of statements`,
    );
  output.out(card);
  return "on";
}
