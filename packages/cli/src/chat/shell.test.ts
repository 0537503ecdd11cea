import { PassThrough } from "node:stream";

import type { SessionMessage } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import { expect, test } from "vitest";

import type { Output } from "../output.ts";
import type { Conversation } from "./conversation.ts";
import { ChatShell } from "./shell.ts";

const CTRL_C = "\u0003";

/** An agent that works on a run until it is told to end it. */
class FakeConversation {
  readonly asked: string[] = [];
  readonly #ends = new Map<string, (message: SessionMessage) => void>();
  session = "";
  isKnown = false;
  /** The run that a steer joins. */
  current: string | null = null;

  async say(input: string, mode: "run" | "steer"): Promise<string> {
    this.asked.push(`${mode} ${input}`);
    if (input === "refused") throw new MainspringError("not_found", "there is no agent x");
    this.session = "ses_1";
    this.isKnown = true;
    if (mode === "steer" && this.current !== null) return this.current;
    this.current = `run_${this.asked.length}`;
    return this.current;
  }

  begin(): void {
    this.asked.push("begin");
    this.session = "";
    this.isKnown = false;
  }

  async cancel(run: string): Promise<void> {
    this.asked.push(`cancel ${run}`);
    this.end("run.cancelled");
  }

  async *follow(run: string): AsyncGenerator<SessionMessage> {
    yield await new Promise<SessionMessage>((resolve) => this.#ends.set(run, resolve));
  }

  end(type = "run.completed"): void {
    const run = this.current!;
    this.current = null;
    this.#ends.get(run)!({ event: type, data: { seq: 1, type, at: "", run_id: run, origin: "engine", data: {} } });
  }
}

function chat(isInteractive = true) {
  const conversation = new FakeConversation();
  let err = "";
  const output: Output = { out: () => undefined, err: (text) => void (err += text), dim: (text) => text, columns: 80 };
  const [input, screen] = [new PassThrough(), new PassThrough()];
  screen.resume();
  const shell = new ChatShell(conversation as unknown as Conversation, output);
  const running = shell.run({ input, output: screen, isInteractive }, { lines: [], save: () => undefined });
  const asked = (count: number) => expect.poll(() => conversation.asked.length).toBe(count);
  return { conversation, input, shell, running, asked, said: () => err };
}

test("words start a run, words while it works steer it, and words after it start the next", async () => {
  const { conversation, input, running, asked, shell } = chat();
  input.write("one\n");
  await asked(1);
  input.write("also\n");
  await asked(2);
  conversation.end();
  await expect.poll(() => shell.status).toBe("completed");
  input.write("two\n");
  await asked(3);
  conversation.end();
  input.end();
  await running;
  expect(conversation.asked).toEqual(["run one", "steer also", "run two"]);
});

test("a steer that came too late is a run of its own, and is followed to its end", async () => {
  const { conversation, input, running, asked, shell } = chat();
  input.write("one\n");
  await asked(1);
  const late = conversation.current!;
  conversation.current = null;
  input.write("more\n");
  await asked(2);
  const own = conversation.current!;
  conversation.current = late;
  conversation.end();
  conversation.current = own;
  await expect.poll(() => shell.status).toBe("completed");
  input.end();
  conversation.end("run.failed");
  await running;
  expect(shell.status).toBe("failed");
});

test("Ctrl-C stops the agent that works, and at rest says how to leave", async () => {
  const { conversation, input, running, asked, said, shell } = chat();
  input.write("one\n");
  await asked(1);
  input.write(CTRL_C);
  await asked(2);
  await expect.poll(() => shell.status).toBe("cancelled");
  input.write(CTRL_C);
  await expect.poll(said).toContain("/quit leaves");
  input.write("/quit\n");
  await running;
  expect(conversation.asked).toEqual(["run one", "cancel run_1"]);
});

test("commands, and a failure that is told", async () => {
  const { conversation, input, running, said, asked } = chat();
  input.write("/session\n/help\n/new\nrefused\n");
  await asked(2);
  await expect.poll(said).toContain("there is no agent x");
  input.write("/quit\n");
  await running;
  expect(said()).toContain("(none yet)");
  expect(said()).toContain("/cancel");
  expect(conversation.asked).toEqual(["begin", "run refused"]);
});

test.each([true, false])(
  "the session is named when it begins and when it is left (interactive: %s)",
  async (isInteractive) => {
    const { conversation, input, running, asked, said } = chat(isInteractive);
    input.write("one\n");
    await asked(1);
    await expect.poll(said).toMatch(/^session ses_1$/m);
    expect(said()).not.toContain("--session");
    conversation.end();
    input.end();
    await running;
    expect(said()).toMatch(/^go on with: mainspring chat --session ses_1$/m);
  },
);

test("a chat in which nothing was said has no session to go on with", async () => {
  const { input, running, said } = chat(false);
  input.end("/session\n");
  await running;
  expect(said()).toBe("(none yet)\n");
});

test("from a pipe each line waits for the answer before", async () => {
  const { conversation, input, running, asked } = chat(false);
  input.end("one\ntwo\n");
  await asked(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(conversation.asked).toEqual(["run one"]);
  conversation.end();
  await asked(2);
  conversation.end();
  await running;
  expect(conversation.asked).toEqual(["run one", "run two"]);
});

test("what could not be run counts as failed, also when a later turn completes; a session that is not there is not offered", async () => {
  const { conversation, input, running, shell, asked, said } = chat(false);
  conversation.session = "ses_unknown";
  input.end("refused\n");
  await running;
  expect([shell.failed, shell.completed]).toEqual([1, 0]);
  expect(said()).not.toContain("go on with");

  const later = chat(false);
  later.input.end("refused\none\n");
  await later.asked(2);
  later.conversation.end();
  await later.running;
  expect([later.shell.failed, later.shell.completed]).toEqual([1, 1]);
  expect(later.said()).toContain("go on with: mainspring chat --session ses_1");
  await asked(1);
});
