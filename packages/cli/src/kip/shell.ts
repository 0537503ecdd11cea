/** The interactive shell of a Space: many lines a command, history, completion, plans. */
import { createInterface } from "node:readline/promises";

import { MainspringError } from "@mainspring/kernel";

import type { History } from "../history.ts";
import type { Output } from "../output.ts";
import { complete } from "./completion.ts";
import { printBeliefs, printResponse, tellHowToWrite } from "./print.ts";
import { isShellCommand, runShellCommand } from "./shell-command.ts";
import type { ShellSettings } from "./shell-command.ts";
import type { SpaceSession } from "./space-session.ts";
import { readTyped } from "./statement.ts";

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export class KipShell {
  readonly #session: SpaceSession;
  readonly #output: Output;
  #symbols: readonly string[] = [];
  readonly #settings: ShellSettings = { asJson: false, symbols: async () => this.#symbols };
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
    this.#output.err(this.#output.dim(`Space ${this.#session.space}; help shows the language, \\help the shell\n`));
    prompt();
    for await (const line of lines) {
      if ((await this.#take(line)) === "quit") break;
      prompt();
    }
    lines.close();
  }

  async #take(line: string): Promise<"quit" | "on"> {
    if (this.#typed === "" && isShellCommand(line)) return this.#shellCommand(line);
    this.#typed += `${line}\n`;
    const { ready, waits } = readTyped(this.#typed);
    if (waits && line.trim() !== "") return "on";
    const commands = waits ? [this.#typed] : ready;
    this.#typed = "";
    for (const command of commands) {
      if (!isShellCommand(command)) await this.#reporting(() => this.#execute(command));
      else if ((await this.#shellCommand(command)) === "quit") return "quit";
    }
    return "on";
  }

  async #shellCommand(line: string): Promise<"quit" | "on"> {
    let done = "on";
    await this.#reporting(async () => {
      done = await runShellCommand(line, this.#session, this.#settings, this.#output);
    });
    return done === "quit" ? "quit" : "on";
  }

  async #execute(command: string): Promise<void> {
    const response = await this.#session.run(command);
    printResponse(response, command, this.#settings.asJson, this.#output);
    tellHowToWrite(response, this.#output);
    if (!this.#settings.asJson) await printBeliefs(response, this.#session, this.#output);
    if (this.#session.writes && /\bDEFINE\b/i.test(command)) await this.#learnSymbols();
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
