/** A tool whose effect is a report to the witness (WITNESS_URL). */
interface Context {
  readonly call: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export function witnessTool(name: string, recovery: string) {
  return {
    name,
    description: "Reports to the witness of a test.",
    parameters: {
      type: "object",
      properties: { id: { type: "string" }, hold: { type: "boolean", default: false } },
      required: ["id"],
      additionalProperties: false,
    },
    recovery,
    timeoutMs: 600_000,
    async execute({ id, hold = false }: { id: string; hold?: boolean }, context: Context): Promise<string> {
      const { call, attempt, idempotencyKey: key } = context;
      // A retry after the effect may hold no more: the first one was there to be killed.
      const body = JSON.stringify({ tool: name, id, call, attempt, key, hold: hold && attempt === 1 });
      const response = await fetch(process.env["WITNESS_URL"]!, { method: "POST", body, signal: context.signal });
      await response.text();
      return `effect ${id}`;
    },
  };
}
