/**
 * Bugs to plant: each is an edit of a copy of the sources, so production code carries no hook for them. An edit whose
 * text is not found exactly once fails the test, so this list cannot rot unseen.
 */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
export interface PlantedBug {
  readonly name: string;
  readonly edits: readonly Edit[];
}

const ENGINE = "services/engine-worker/src";
const RUNNER = "services/tool-runner/src";

const one = (name: string, file: string, find: string, replace: string): PlantedBug => ({
  name,
  edits: [{ file, find, replace }],
});

export const PLANTED_BUGS: readonly PlantedBug[] = [
  one(
    "take-over without the epoch check",
    `${ENGINE}/app/load-session.ts`,
    "if (state.epoch >= epoch) return null;",
    "",
  ),
  one(
    "parking without the gen check",
    `${ENGINE}/app/hold.ts`,
    "(await store.casHead(at.session, head.gen, { ...patch, hold: null }))",
    "(await store.casHead(at.session, (await store.readHead(at.session))!.gen, { ...patch, hold: null }))",
  ),
  one(
    "the cursor is not in the commit",
    `${ENGINE}/app/session-holder.ts`,
    "mailCursor: decision.mailCursor,",
    "mailCursor: this.#state.cursor,",
  ),
  one(
    "mail numbers are freed",
    "tests/simulation/memory-session-store.ts",
    "this.mail.set(`${session}/m/${k}`, emptied);\n      this.posts.set(`${session}/${mail.postId}`, emptied);",
    "this.mail.delete(`${session}/m/${k}`);\n      this.posts.delete(`${session}/${mail.postId}`);",
  ),
  one(
    "the ledger is claimed by update instead of insert",
    `${RUNNER}/app/call-runner.ts`,
    "return (await ledger.get(key))?.claimId === row.claimId;",
    'return (await ledger.get(key))?.state === "started";',
  ),
  one(
    "a result is posted before it is settled",
    `${RUNNER}/app/call-runner.ts`,
    "    const settled = await persist(clock, this.#stop.signal, async () => {",
    "    await this.#deliver(key, tenant, outcome, hint);\n    const settled = await persist(clock, this.#stop.signal, async () => {",
  ),
  one(
    "effects are sent before their commit",
    `${ENGINE}/app/session-holder.ts`,
    "    if (decision.events.length > 0 || decision.mailCursor > cursorBefore) {",
    "    this.#effects.perform(decision.effects, this.#state, this.#transcript);\n    if (decision.events.length > 0 || decision.mailCursor > cursorBefore) {",
  ),
  one(
    "a waiting tool has no timer",
    `${ENGINE}/domain/timers.ts`,
    'run.calls.filter((call) => call.status === "dispatched").map((call) => nextCallCheck(call, after));',
    "[] as number[];",
  ),
  one(
    "a cancel leaves no tombstone",
    `${RUNNER}/app/call-states.ts`,
    'if ((await ports.ledger.insert(tombstone)) === "inserted") return',
    "if ((await ports.ledger.get(key)) === null) return",
  ),
  {
    name: "a completion of an abandoned model attempt is accepted",
    edits: [
      {
        file: `${ENGINE}/domain/decide.ts`,
        find: "return run !== null && run.step === outcome.step && run.model?.attempt === outcome.attempt;",
        replace: "return run !== null && run.step >= outcome.step - 1000;",
      },
      {
        file: `${ENGINE}/app/model-caller.ts`,
        find: "      if (abort.signal.aborted) return null;\n      const { step, attempt } = request;",
        replace: "      const { step, attempt } = request;",
      },
      {
        file: `${ENGINE}/app/model-caller.ts`,
        find: "      if (abort.signal.aborted) return null;\n      const { usage,",
        replace: "      const { usage,",
      },
      {
        file: "tests/simulation/sim-model-and-tools.ts",
        find: '        if (signal.aborted) return { kind: "failed", code: "aborted", message: "stopped", retryable: false };\n',
        replace: "",
      },
    ],
  },
  {
    name: "a result of an abandoned tool attempt is accepted",
    edits: [
      {
        file: `${ENGINE}/domain/decide-mail.ts`,
        find: 'call?.status === "dispatched" && call.attempt === body.attempt;',
        replace: 'call?.status === "dispatched";',
      },
      {
        file: `${ENGINE}/domain/decide-mail.ts`,
        find: "if (call !== undefined && current && !body.late) {",
        replace: "if (call !== undefined && current) {",
      },
    ],
  },
  one(
    "a snapshot forgets the cursor",
    `${ENGINE}/app/session-holder.ts`,
    "state: JSON.stringify(state)",
    "state: JSON.stringify({ ...state, cursor: 0 })",
  ),
  one(
    "a new session may park before its first mail",
    `${ENGINE}/app/session-holder.ts`,
    "      await this.#expected;\n",
    "",
  ),
  one(
    "a post is acknowledged before it is inserted",
    `${ENGINE}/app/mailbox.ts`,
    "    const result = await ports.store.insertMail(mail);\n",
    '    const result: string = "inserted";\n    ports.store.insertMail(mail).catch(() => undefined);\n',
  ),
];
