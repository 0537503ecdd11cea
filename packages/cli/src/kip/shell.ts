/** The interactive shell of a Space: many lines a command, history, completion, plans. */
import { createInterface } from "node:readline/promises";

import type { Json, JsonObject, KipErrorObject, KipResponse } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";
import { MainspringError } from "@mainspring/kernel";

import type { History } from "../history.ts";
import { table } from "../output.ts";
import type { Output } from "../output.ts";
import { explainBeliefs, slotQueries } from "./beliefs.ts";
import { complete } from "./completion.ts";
import { cell, errorLine, showResponse } from "./show.ts";
import type { SpaceSession } from "./space-session.ts";
import { readTyped } from "./statement.ts";

const HELP = String.raw`A command ends with ; or with the line that makes it whole. Ctrl-C drops what was typed, Ctrl-D leaves.
  \plan FIND …   how a query would be answered
  \symbols       types, predicates, facets and structural fields of the Space
  \json          results as JSON, and back
  \quit          leaves
`;

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export class KipShell {
  readonly #session: SpaceSession;
  readonly #output: Output;
  #symbols: readonly string[] = [];
  #asJson = false;
  #typed = "";

  constructor(session: SpaceSession, output: Output) {
    this.#session = session;
    this.#output = output;
  }

  /** Until the input ends or says so. */
  async run({ input, output }: Terminal, history: History): Promise<void> {
    await this.#learnSymbols();
    const lines = createInterface({
      input,
      output,
      terminal: true,
      history: [...history.lines],
      removeHistoryDuplicates: true,
      completer: (line: string) => complete(line, this.#symbols),
    });
    lines.on("history", (kept: string[]) => history.save(kept));
    let isOpen = true;
    lines.once("close", () => (isOpen = false));
    const prompt = (): void => {
      // What was typed ahead is still executed when the input has ended.
      if (!isOpen) return;
      lines.setPrompt(this.#typed === "" ? `${this.#session.space}> ` : "... ");
      lines.prompt();
    };
    lines.on("SIGINT", () => {
      this.#typed = "";
      lines.write(null, { ctrl: true, name: "e" });
      lines.write(null, { ctrl: true, name: "u" });
      output.write("\n");
      prompt();
    });
    this.#output.err(this.#output.dim(`Space ${this.#session.space}; \\help says what there is\n`));
    prompt();
    for await (const line of lines) {
      if ((await this.#take(line)) === "quit") break;
      prompt();
    }
    lines.close();
  }

  async #take(line: string): Promise<"quit" | "on"> {
    if (this.#typed === "" && line.trimStart().startsWith("\\")) return this.#shellCommand(line.trim());
    this.#typed += `${line}\n`;
    const { ready, waits } = readTyped(this.#typed);
    if (waits && line.trim() !== "") return "on";
    const commands = waits ? [this.#typed] : ready;
    this.#typed = "";
    for (const command of commands) await this.#reporting(() => this.#execute(command));
    return "on";
  }

  async #shellCommand(line: string): Promise<"quit" | "on"> {
    const [, name = "", rest = ""] = /^\\(\w*)\s*([\s\S]*)$/.exec(line)!;
    if (name === "quit" || name === "q") return "quit";
    if (name === "json") this.#asJson = !this.#asJson;
    else if (name === "symbols") this.#output.out(`${this.#symbols.join("\n")}\n`);
    else if (name === "plan") await this.#reporting(async () => this.#plan(rest.replace(/;\s*$/, "")));
    else this.#output.err(HELP);
    return "on";
  }

  async #execute(command: string): Promise<void> {
    const response = await this.#session.run(command);
    printResponse(response, command, this.#asJson, this.#output);
    tellHowToWrite(response, this.#output);
    if (!this.#asJson) await printBeliefs(response, this.#session, this.#output);
    if (this.#session.writes && /\bDEFINE\b/i.test(command)) await this.#learnSymbols();
  }

  async #plan(query: string): Promise<void> {
    const response = await this.#session.plan(query);
    const result = response.results[0]?.result;
    if (!isObject(result ?? null)) return void printResponse(response, "", this.#asJson, this.#output);
    const { valid, plan, errors } = result as JsonObject;
    if (valid !== true) {
      for (const error of (errors ?? []) as unknown as KipErrorObject[]) this.#output.err(`${errorLine(error)}\n`);
      return;
    }
    this.#output.out(Array.isArray(plan) ? planTable(plan) : `${JSON.stringify(result, null, 2)}\n`);
  }

  /** A failure is told, and the shell goes on. */
  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#output.err(`${MainspringError.from(error).message}\n`);
    }
  }

  async #learnSymbols(): Promise<void> {
    this.#symbols = await this.#session.symbols();
  }
}

function planTable(plan: readonly Json[]): string {
  const rows = plan.filter(isObject).map((step) => {
    const { depth = 0, pattern = "", variable = null, access = "", rows_per_input: rows = "", filters = 0 } = step;
    return [`${"  ".repeat(Number(depth))}${cell(pattern)}`, cell(variable), cell(access), cell(rows), cell(filters)];
  });
  return table(["STEP", "VARIABLE", "ACCESS", "ROWS", "FILTERS"], rows);
}

/** A command that may only read refuses writes in the words of the route; what to do is the command's to say. */
export function tellHowToWrite({ error, results }: KipResponse, output: Output): void {
  const codes = [error?.code, ...results.map((result) => result.error?.code)];
  if (codes.includes("ReadonlyViolation")) output.err("start it with --write to let commands write\n");
}

/** Below the results: what stands behind the beliefs in them. It is an addition, so that it cannot be had is no failure. */
export async function printBeliefs({ results }: KipResponse, session: SpaceSession, output: Output): Promise<void> {
  const found = results.flatMap(({ result }) => (result === undefined ? [] : [result]));
  try {
    const text = await explainBeliefs(found, (operations) => session.ask(operations));
    if (text !== "") output.out(`\n${text}`);
  } catch (error) {
    output.err(`${output.dim(`who claims what could not be looked up: ${MainspringError.from(error).message}`)}\n`);
  }
}

/** The same for propositions by id: the slots that they are values of, each once. */
export async function printDoubts(ids: readonly string[], session: SpaceSession, output: Output): Promise<void> {
  if (ids.length === 0) return;
  try {
    const { results } = await session.ask(await slotQueries(ids, (operations) => session.ask(operations)));
    await printBeliefs({ results } as KipResponse, session, output);
  } catch (error) {
    output.err(`${output.dim(`who claims what could not be looked up: ${MainspringError.from(error).message}`)}\n`);
  }
}

/** Results to standard output, what surrounds them beside it. False when the command failed. */
export function printResponse(response: KipResponse, command: string, asJson: boolean, output: Output): boolean {
  const shown = showResponse(response, command);
  if (asJson) output.out(`${JSON.stringify(response)}\n`);
  else {
    output.out(shown.out);
    for (const note of shown.notes) output.err(`${shown.failed ? note : output.dim(note)}\n`);
  }
  return !shown.failed;
}
