/** `mainspring sessions`, `mainspring events` and `mainspring cancel`. */
import { followSession, runOf } from "@mainspring/client";
import type { ApiClient, EventRow, ListPage, SessionView } from "@mainspring/client";
import type { Command } from "commander";

import { brief, table } from "../output.ts";
import type { Output } from "../output.ts";
import { addClientFlags, examples, wholeNumber, withClient } from "./context.ts";
import type { CommandContext } from "./context.ts";

const SESSIONS_PAGE_MAX = 200;
const EVENTS_PAGE = 1_000;
const TITLE_CHARS = 60;

export function sessionsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("sessions")
    .description("Lists sessions, the latest first.")
    .option("--limit <n>", "how many", wholeNumber(1, SESSIONS_PAGE_MAX), 20)
    .option("--after <cursor>", "go on after a page, with the cursor that it ended with", "")
    .option("--json", "one JSON object a line")
    .addHelpText("after", examples("mainspring sessions --limit 5", "mainspring sessions --json | tail -n 1"));
  addClientFlags(command).action((flags: { limit: number; after: string; json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const query = { limit: String(flags.limit), after: flags.after };
      const page = await client.get<ListPage<SessionView>>("/v1/sessions", { query, signal });
      printSessions(page, flags.json === true, context.output);
    }),
  );
}

function printSessions({ data, next }: ListPage<SessionView>, asJson: boolean, output: Output): void {
  if (asJson) {
    for (const session of data) output.out(`${JSON.stringify(session)}\n`);
  } else if (data.length === 0) {
    output.err("there are no sessions yet; `mainspring run` makes one\n");
  } else {
    const rows = data.map((session) => [
      session.id,
      session.status,
      session.agent === "" ? "-" : session.agent,
      session.updated_at,
      brief(session.title, TITLE_CHARS),
    ]);
    output.out(table(["SESSION", "STATUS", "AGENT", "UPDATED", "TITLE"], rows));
  }
  if (next !== null) output.err(`${output.dim(`more: --after ${next}`)}\n`);
}

interface EventsFlags {
  readonly follow?: boolean;
  readonly after: string;
  readonly run: string;
  readonly json?: boolean;
}

export function eventsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("events")
    .description("Prints the log of a session, event by event.")
    .argument("<session>", "id of the session, ses_…")
    .option("--follow", "go on with what happens, until Ctrl-C")
    .option("--after <seq>", "only what comes after this seq", "")
    .option("--run <id>", "only what belongs to this run", "")
    .option("--json", "one JSON object a line")
    .addHelpText(
      "after",
      examples(
        "mainspring events ses_…",
        "mainspring events ses_… --follow",
        "mainspring events ses_… --after 4001 --json",
      ),
    );
  addClientFlags(command).action((session: string, flags: EventsFlags) =>
    withClient(command, context, (client, signal) => events(client, signal, context.output, session, flags)),
  );
}

async function events(
  client: ApiClient,
  signal: AbortSignal,
  output: Output,
  session: string,
  flags: EventsFlags,
): Promise<void> {
  const print = (row: EventRow): void => output.out(flags.json === true ? `${JSON.stringify(row)}\n` : eventLine(row));
  const { after, run } = flags;
  if (flags.follow === true) {
    for await (const { event, data } of followSession(client, session, { run, after, signal })) {
      if (event !== "delta" && event !== "caught_up") print(data as EventRow);
    }
    return;
  }
  for (let cursor: string | null = after; cursor !== null;) {
    const query = { limit: String(EVENTS_PAGE), after: cursor, run };
    const page: ListPage<EventRow> = await client.get(`/v1/sessions/${session}/events`, { query, signal });
    for (const row of page.data) print(row);
    cursor = page.next;
  }
}

const LINE_CHARS = 160;

/** The end of a run's id is enough to tell the runs of a session apart. */
const RUN_CHARS = 8;

function eventLine({ seq, at, type, run_id = "", step = 0, data }: EventRow): string {
  const shown = Object.entries(data).map(([name, value]) => `${name}=${plain(value)}`);
  const run = run_id === "" ? "-" : run_id.slice(-RUN_CHARS);
  const where = `${run.padEnd(RUN_CHARS)}  ${(step === 0 ? "-" : String(step)).padStart(3)}`;
  return `${String(seq).padStart(8)}  ${at}  ${where}  ${type.padEnd(20)}  ${brief(shown.join(" "), LINE_CHARS)}\n`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function cancelCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("cancel")
    .description("Cancels a run: its model call, its tools and what waits; done when nothing of it can start any more.")
    .argument("<id>", "id of the run, run_… or resp_…, or of a session, ses_…, whose last run it is")
    .option("--reason <text>", "why, for the log", "")
    .option("--json", "the receipt as JSON")
    .addHelpText(
      "after",
      examples("mainspring cancel run_…", "mainspring cancel ses_…", 'mainspring cancel resp_… --reason "wrong file"'),
    );
  addClientFlags(command).action((given: string, flags: { reason: string; json?: boolean }) =>
    withClient(command, context, async (client, signal) => {
      const run = await runOf(client, given, signal);
      const receipt = await client.post<{ receipt: string }>(
        `/v1/runs/${run}/cancel`,
        flags.reason === "" ? {} : { reason: flags.reason },
        { signal },
      );
      const text = RECEIPTS[receipt.receipt] ?? receipt.receipt;
      context.output.out(flags.json === true ? `${JSON.stringify(receipt)}\n` : `${text}\n`);
    }),
  );
}

const RECEIPTS: Readonly<Record<string, string>> = {
  accepted: "the cancel is accepted; it will be effective soon",
  effective: "the run is cancelled: nothing of it can start any more",
  ended: "the run was over before",
};
