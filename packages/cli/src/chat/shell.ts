/**
 * The chat: what is typed goes to the agent; what is typed while it works steers it; Ctrl-C stops it. Where nobody types
 * (a pipe), each line waits for the answer to the one before.
 */
import { createInterface } from "node:readline/promises";
import type { Interface } from "node:readline/promises";

import { MainspringError } from "@mainspring/kernel";

import type { History } from "../history.ts";
import type { Output } from "../output.ts";
import { RunPrinter } from "../run-printer.ts";
import type { Conversation } from "./conversation.ts";

const HELP = `What you type goes to the agent; while it works it steers it. Ctrl-C stops the agent, Ctrl-D leaves.
  /new       begins another session
  /session   says which session this is
  /cancel    stops the agent
  /help      says this
  /quit      leaves
`;

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Somebody types. */
  readonly isInteractive: boolean;
}

export class ChatShell {
  readonly #conversation: Conversation;
  readonly #output: Output;
  #lines: Interface | null = null;
  #open = true;
  /** The run that is being followed, and its end. */
  #current: { readonly run: string; readonly ended: Promise<void> } | null = null;
  /** How the last run ended. */
  status = "";
  /** Runs that completed, and turns that failed: those that could not begin, and those that ended otherwise. */
  completed = 0;
  failed = 0;

  constructor(conversation: Conversation, output: Output) {
    this.#conversation = conversation;
    this.#output = output;
  }

  /** Until the input ends or says so; an agent that still works is waited for. */
  async run({ input, output, isInteractive }: Terminal, history: History): Promise<void> {
    const lines = createInterface({
      input,
      output,
      terminal: isInteractive,
      history: [...history.lines],
      removeHistoryDuplicates: true,
      prompt: isInteractive ? "> " : "",
    });
    this.#lines = lines;
    lines.on("history", (kept: string[]) => history.save(kept));
    lines.once("close", () => (this.#open = false));
    lines.on("SIGINT", () => void this.#interrupt(lines));
    if (isInteractive) this.#output.err(this.#output.dim("/help says what there is\n"));
    this.#prompt();
    for await (const line of lines) {
      const taken = await this.#reporting(() => this.#take(line.trim()));
      if (taken === "quit") break;
      if (taken === undefined) this.failed += 1;
      if (!isInteractive) await this.#current?.ended;
    }
    lines.close();
    await this.#current?.ended;
    // Ctrl-D leaves the cursor behind the prompt.
    if (isInteractive) this.#output.err("\n");
    this.#sayHowToGoOn();
  }

  /** Whoever leaves a session can go on with it. */
  #sayHowToGoOn(): void {
    const { session, isKnown } = this.#conversation;
    if (!isKnown) return;
    this.#output.err(`${this.#output.dim(`go on with: mainspring chat --session ${session}`)}\n`);
  }

  async #take(line: string): Promise<"quit" | "on"> {
    if (line.startsWith("/")) return this.#command(line);
    if (line === "") {
      this.#prompt();
      return "on";
    }
    const before = this.#current;
    const { session } = this.#conversation;
    const run = await this.#conversation.say(line, before === null ? "run" : "steer");
    // At once: who feeds it from a pipe may end it at any time.
    if (session !== this.#conversation.session) {
      this.#output.err(`${this.#output.dim(`session ${this.#conversation.session}`)}\n`);
    }
    if (before?.run === run) return "on";
    // What was meant to steer came too late, and began a run of its own.
    await before?.ended;
    const ended = this.#follow(run);
    this.#current = { run, ended };
    return "on";
  }

  async #command(line: string): Promise<"quit" | "on"> {
    switch (line) {
      case "/quit":
      case "/exit":
        return "quit";
      case "/new":
        await this.#current?.ended;
        this.#sayHowToGoOn();
        this.#conversation.begin();
        break;
      case "/session":
        this.#output.err(`${this.#conversation.session === "" ? "(none yet)" : this.#conversation.session}\n`);
        break;
      case "/cancel":
        await this.#cancel();
        break;
      default:
        this.#output.err(HELP);
    }
    this.#prompt();
    return "on";
  }

  /** Prints the run to its end. */
  async #follow(run: string): Promise<void> {
    const printer = new RunPrinter(this.#output);
    await this.#reporting(async () => {
      for await (const message of this.#conversation.follow(run)) printer.take(message);
    });
    this.status = printer.status;
    if (this.status === "completed") this.completed += 1;
    else this.failed += 1;
    this.#current = null;
    this.#prompt();
  }

  async #interrupt(lines: Interface): Promise<void> {
    if (this.#current !== null) {
      await this.#reporting(() => this.#cancel());
      return;
    }
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    this.#output.err("\n(Ctrl-D or /quit leaves)\n");
    this.#prompt();
  }

  async #cancel(): Promise<void> {
    if (this.#current === null) return;
    this.#output.err(`${this.#output.dim("stopping")}\n`);
    await this.#conversation.cancel(this.#current.run);
  }

  #prompt(): void {
    if (this.#open && this.#current === null) this.#lines?.prompt();
  }

  /** A failure is told, and the chat goes on. */
  async #reporting<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#output.err(`${MainspringError.from(error).message}\n`);
      this.#prompt();
      return undefined;
    }
  }
}
