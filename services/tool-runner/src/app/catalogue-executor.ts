/** Runs the tools of the catalogue. Whatever goes wrong is an outcome. */
import type { Clock } from "@mainspring/kernel";
import type { ArtifactStore, Logger } from "@mainspring/service-kit";

import type { CallOutcome, Outcome } from "../ports/effect-ledger.ts";
import type { ToolCallRequest, ToolExecutor } from "../ports/tool-executor.ts";
import type { Tool, ToolContext, Workspaces } from "../ports/tool.ts";
import { ToolFailure } from "../ports/tool.ts";
import type { ArgumentChecker } from "./arguments.ts";
import type { Catalogue } from "./catalogue.ts";
import { keepOutput, textOf } from "./tool-output.ts";

/** A tool that goes on for so long after it was told to end is no longer waited for. */
export const ABANDON_AFTER_MS = 2_000;
const MESSAGE_CHARS_MAX = 8_000;

export interface ExecutorPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly artifacts: ArtifactStore;
  readonly workspaces: Workspaces;
  readonly catalogue: Catalogue;
  readonly checker: ArgumentChecker;
  readonly onExecuted?: (tool: string, outcome: Outcome, durationMs: number) => void;
}

interface Said {
  readonly outcome: Outcome;
  readonly text: string;
}

export class CatalogueExecutor implements ToolExecutor {
  readonly #ports: ExecutorPorts;

  constructor(ports: ExecutorPorts) {
    this.#ports = ports;
  }

  async execute(request: ToolCallRequest, signal: AbortSignal): Promise<CallOutcome> {
    const { clock, onExecuted } = this.#ports;
    const startedMs = clock.monotonicMs();
    const { outcome, text } = await this.#run(request, signal);
    const kept = await keepOutput(this.#ports, request.tenant, text);
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    onExecuted?.(request.tool, outcome, durationMs);
    return { outcome, ...kept, durationMs };
  }

  async #run(request: ToolCallRequest, signal: AbortSignal): Promise<Said> {
    const { catalogue, checker } = this.#ports;
    const tool = catalogue.get(request.tool);
    if (tool === undefined) {
      const names = catalogue.list().map(({ name }) => name);
      return failed(`There is no tool named ${JSON.stringify(request.tool)}. Available tools: ${names.join(", ")}.`);
    }
    const args = checker.check(tool.parameters, request.argumentsJson);
    if (!args.ok) return failed(args.problem);
    return await this.#within(tool, args.value, request, signal);
  }

  /** Ends with the tool, or some time after it was told to end. */
  async #within(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    request: ToolCallRequest,
    signal: AbortSignal,
  ): Promise<Said> {
    const { clock } = this.#ports;
    const limit = new AbortController();
    const cancelLimit = clock.after(tool.timeoutMs, () => limit.abort());
    const inner = AbortSignal.any([signal, limit.signal]);
    let cancelAbandon = (): void => undefined;
    const abandoned = new Promise<null>((resolve) => {
      const begin = (): void => {
        cancelAbandon = clock.after(ABANDON_AFTER_MS, () => resolve(null));
      };
      if (inner.aborted) begin();
      else inner.addEventListener("abort", begin, { once: true });
    });
    const said = await Promise.race([this.#attempt(tool, args, this.#contextOf(request, inner)), abandoned]);
    cancelLimit();
    cancelAbandon();
    if (signal.aborted) return cancelled(said);
    if (limit.signal.aborted) return timedOut(tool, said);
    return said ?? failed("The tool did not end.");
  }

  async #attempt(tool: Tool, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Said> {
    try {
      return { outcome: "completed", text: textOf(await tool.execute(args, context)) };
    } catch (error) {
      const text = describe(error);
      this.#logThrown(error, text, { tool: tool.name, session: context.session, call: context.call });
      return failed(text);
    }
  }

  /** A ToolFailure is an answer; anything else is a mistake in the tool, whose author needs the stack. */
  #logThrown(error: unknown, text: string, ids: { tool: string; session: string; call: string }): void {
    const { logger } = this.#ports;
    try {
      if (error instanceof ToolFailure) logger.debug({ ...ids, error }, "a tool failed");
      else logger.warn({ ...ids, error }, "a tool threw");
    } catch {
      // What was thrown cannot be looked into.
      logger.warn({ ...ids, error: text }, "a tool threw");
    }
  }

  #contextOf(request: ToolCallRequest, signal: AbortSignal): ToolContext {
    const { tenant, session, run, call, attempt, idempotencyKey, memory, agent, caller, traceparent } = request;
    const workspace = () => this.#ports.workspaces.of(tenant, session);
    const ids = { tenant, session, run, call, attempt, idempotencyKey };
    return { ...ids, memory, agent, caller, traceparent, signal, workspace };
  }
}

/** Whatever was thrown, as text. Looking at it runs code of the tool, which may throw again. */
function describe(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : thrown;
    return String(text);
  } catch {
    return "The tool threw something that cannot be turned into text.";
  }
}

function failed(message: string): Said {
  return { outcome: "failed", text: message.slice(0, MESSAGE_CHARS_MAX) };
}

function cancelled(said: Said | null): Said {
  if (said === null)
    return { outcome: "cancelled", text: "The call was cancelled; the tool did not end when told to." };
  const captured = said.outcome === "completed" && said.text !== "" ? ` Until then:\n${said.text}` : "";
  return { outcome: "cancelled", text: `The call was cancelled.${captured}` };
}

function timedOut(tool: Tool, said: Said | null): Said {
  const seconds = tool.timeoutMs / 1_000;
  const effect = tool.recovery === "replay_safe" ? "" : " It may have taken effect.";
  const captured = said === null ? "" : ` It ended with:\n${said.text}`;
  return failed(`${tool.name} did not end within ${seconds} s.${effect}${captured}`);
}
