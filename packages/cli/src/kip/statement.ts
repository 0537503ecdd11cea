/** Commands in what somebody typed or piped: where one ends and the next begins. */
import { KipError, parse } from "@mainspring/kip";

/** A string, a comment, the end of a command, or anything else. A string that is not closed goes on to its line's end. */
const PARTS = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|;|[^";/]+|\//g;

/** The commands of a script, parted by `;`, those of the shell by their line. What is only space and comments is none. */
export function splitScript(text: string): string[] {
  const commands = [""];
  for (const [part] of text.matchAll(PARTS)) {
    if (part === ";") commands.push("");
    else commands[commands.length - 1] += part;
  }
  return commands
    .map((command) => command.trim())
    .filter((command) => withoutComments(command) !== "")
    .flatMap(linesOfShell);
}

/** A command of the shell ends with its line; a plan goes on as its query does. */
function linesOfShell(command: string): string[] {
  const [, line, rest = ""] = /^(\\(?!plan\b)[^\n]*|help\b[^\n]*)(?:\n([\s\S]*))?$/i.exec(command) ?? [];
  if (line === undefined) return [command];
  return [line.trim(), ...(withoutComments(rest) === "" ? [] : linesOfShell(rest.trim()))];
}

function withoutComments(command: string): string {
  return command.replaceAll(/^\s*\/\/[^\n]*$/gm, "").trim();
}

/**
 * The commands that are ready in what was typed so far, and whether more has to come: up to a `;`, or up to the line
 * with which a command is whole. What is wrong before its end is ready too, to be told.
 */
export function readTyped(text: string): { readonly ready: readonly string[]; readonly waits: boolean } {
  const commands = splitScript(text);
  const last = commands.at(-1);
  if (last === undefined || /;\s*(?:\/\/[^\n]*)?$/.test(text) || !isUnfinished(last)) {
    return { ready: commands, waits: false };
  }
  return { ready: [], waits: true };
}

function isUnfinished(command: string): boolean {
  try {
    parse(command);
    return false;
  } catch (error) {
    return error instanceof KipError && error.offset !== undefined && error.offset >= command.length;
  }
}
