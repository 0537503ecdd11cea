/** `mainspring run`: one turn of an agent, from the prompt to its end. */
import { text as readAll } from "node:stream/consumers";

import { followSession } from "@mainspring/client";
import type { ApiClient, RunView, SessionView } from "@mainspring/client";
import { MainspringError } from "@mainspring/kernel";
import type { Command } from "commander";

import { brief } from "../output.ts";
import type { Output } from "../output.ts";
import { LostConnection } from "../lost-connection.ts";
import { RunPrinter } from "../run-printer.ts";
import { addClientFlags, examples, EXIT, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const AGENT_DEFAULT = "assistant";
const TITLE_CHARS = 80;
const silent: Output = { out: () => undefined, err: () => undefined, dim: (text) => text, columns: 0 };

interface RunFlags {
  readonly agent?: string;
  readonly model?: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly stream: boolean;
}

export function runCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("run")
    .description("Runs one turn of an agent and streams its answer; what it does beside goes to standard error.")
    .argument("<prompt>", "what to say to the agent; - reads it from standard input")
    .option("--agent <name>", "agent that answers (default: the session's, else assistant)")
    .option("--model <name>", "model in place of the agent's own")
    .option("--session <id>", "session to continue (default: a new one)")
    .option("--json", "one JSON object a line: every event, then the result")
    .option("--no-stream", "print the answer when it is complete")
    .addHelpText(
      "after",
      examples(
        'mainspring run "What is 6 * 7? Use the calculator."',
        String.raw`printf 'call calculator {"expression":"6*7"}\nsay It is {{result}}.' | mainspring run --agent script -`,
        'mainspring run --session ses_… "And times two?"',
        "mainspring run --json - < task.md",
      ) + "\n\nThe exit code is 0 when the run completed, 1 when it did not, 130 after Ctrl-C, which cancels the run.",
    );
  addClientFlags(command).action(async (prompt: string, flags: RunFlags) => {
    const input = prompt === "-" ? await readAll(process.stdin) : prompt;
    if (input.trim() === "") {
      throw new MainspringError("invalid_argument", "the prompt is empty; say what the agent should do");
    }
    await withClient(command, context, (client, signal) => run(client, signal, context, input, flags), "works");
  });
}

async function run(
  client: ApiClient,
  interrupted: AbortSignal,
  { output, exit }: CommandContext,
  input: string,
  flags: RunFlags,
): Promise<void> {
  const agent = flags.agent ?? (flags.session === undefined ? AGENT_DEFAULT : undefined);
  const title = brief(input, TITLE_CHARS);
  const session = flags.session ?? (await client.post<SessionView>("/v1/sessions", { agent, title })).id;
  const started = await client.post<RunView>(`/v1/sessions/${session}/runs`, {
    input,
    ...(agent === undefined ? {} : { agent }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
  });
  // At once: whoever loses this command finds the run again.
  output.err(`${output.dim(`session ${session} run ${started.id}`)}\n`);
  const asJson = flags.json === true;
  const shown: Output = flags.stream ? output : { ...output, out: () => undefined };
  const printer = new RunPrinter(asJson ? silent : shown);
  const cancelling = cancelOn(interrupted, client, started.id, printer);
  // An interrupt cancels the run; its end is waited for all the same.
  const signal = new AbortController().signal;
  const lost = new LostConnection(session, started.id, (sentence) => remark(sentence, asJson ? output : printer));
  try {
    const following = { run: started.id, after: "", signal, onRetry: (tries: number) => lost.tried(tries) };
    for await (const message of followSession(client, session, following)) {
      lost.found();
      printer.take(message);
      if (!asJson || message.event === "caught_up") continue;
      output.out(`${JSON.stringify(message.event === "delta" ? { type: "delta", ...message.data } : message.data)}\n`);
    }
  } catch (error) {
    lost.gaveUp(MainspringError.from(error));
    throw error;
  }
  await cancelling();
  const { status, text } = printer;
  if (asJson) {
    output.out(`${JSON.stringify({ type: "result", status, session_id: session, run_id: started.id, text })}\n`);
  } else if (!flags.stream) {
    output.out(`${text}\n`);
  }
  if (status !== "completed") exit(EXIT.failed);
}

function remark(sentence: string, to: Output | RunPrinter): void {
  if (to instanceof RunPrinter) to.note(sentence);
  else to.err(`${to.dim(sentence)}\n`);
}

/** Posts a cancel when the signal aborts; the function that it returns waits for that post and stops listening. */
function cancelOn(signal: AbortSignal, client: ApiClient, runId: string, printer: RunPrinter): () => Promise<void> {
  let posted = Promise.resolve();
  const onAbort = (): void => {
    printer.note("cancelling; a second Ctrl-C leaves without waiting");
    posted = client.post(`/v1/runs/${runId}/cancel`, { reason: "interrupted" }).then(
      () => undefined,
      (error: unknown) => printer.note(`the cancel failed: ${MainspringError.from(error).message}`),
    );
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return () => {
    signal.removeEventListener("abort", onAbort);
    return posted;
  };
}
