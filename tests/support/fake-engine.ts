/** The engine as tool-runner sees it: it knows arguments, takes results, and can be out of reach. */
import { engineContract, InProcessServer, serve } from "@mainspring/contracts";
import type { EngineClient, EngineHandlers } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

export interface PostedResult {
  readonly session: string;
  readonly call: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly output: string;
  readonly artifact: string;
  readonly late: boolean;
  readonly tenant: string;
  readonly holder: string;
}

export class FakeEngine {
  readonly posts: PostedResult[] = [];
  /** Arguments of dispatched calls; null: no longer open. */
  readonly calls = new Map<string, string | null>();
  away = false;
  readonly client: EngineClient;
  #watchers: (() => void)[] = [];

  constructor() {
    const handlers: Partial<EngineHandlers> = {
      GetToolCall: async ({ call_id }) => {
        this.#reach();
        const args = this.calls.get(call_id);
        if (args === undefined) throw new MainspringError("not_found", "there is no such call");
        return { name: "any", arguments_json: args ?? "", open: args !== null, run_id: "run", idempotency_key: "" };
      },
      PostToolResult: async (request, { principal }) => {
        this.#reach();
        const { session_id: session, call_id: call, attempt, outcome, output, output_artifact: artifact } = request;
        const { late, holder } = request;
        this.posts.push({ session, call, attempt, outcome, output, artifact, late, tenant: principal.tenant, holder });
        for (const wake of this.#watchers.splice(0)) wake();
        return { mail_no: this.posts.length };
      },
    };
    // What a runner never calls is not served.
    const all = new Proxy(handlers, {
      get: (known, name) =>
        Reflect.get(known, name) ?? (() => Promise.reject(new MainspringError("unimplemented", "no"))),
    });
    this.client = new InProcessServer([serve(engineContract, all as EngineHandlers)]).connect(engineContract);
  }

  /** Resolves when the result of the call is there. */
  async resultOf(call: string): Promise<PostedResult> {
    for (;;) {
      const post = this.posts.find((one) => one.call === call);
      if (post !== undefined) return post;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  #reach(): void {
    if (this.away) throw new MainspringError("unavailable", "the engine is away");
  }
}
