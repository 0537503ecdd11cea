/** The EvalRunner contract: messages in, use cases, messages out. */
import type { CallContext, EvalRunnerHandlers } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

import { listAttempts, outcomesOf } from "../app/attempt-list.ts";
import { parseDefinition } from "../app/definition.ts";
import { cancelExperiment, createExperiment, getExperiment, listExperiments } from "../app/experiments.ts";
import type { ExperimentsPorts } from "../app/experiments.ts";
import { watchExperiment } from "../app/watch.ts";
import type { WatchPorts } from "../app/watch.ts";
import type { ExperimentHead, Owner } from "../domain/experiment.ts";
import { reportOf } from "../domain/report.ts";
import { attemptOf, definitionJson, experimentOf } from "./messages.ts";

const PAGE_DEFAULT = 20;
export const EXPERIMENTS_PAGE_MAX = 100;
export const ATTEMPTS_PAGE_MAX = 50;
const CONCURRENCY_MAX = 1_000;

export type EvalRunnerPorts = ExperimentsPorts & WatchPorts;

export function evalRunnerService(ports: EvalRunnerPorts): EvalRunnerHandlers {
  const { states } = ports;
  const message = async (head: ExperimentHead, definition = "") =>
    experimentOf(head, await states.count(head), definition);
  const find = (context: CallContext, id: string) => getExperiment(ports, ownerOf(context).tenant, id);
  return {
    CreateExperiment: async ({ definition_json, concurrency }, context) => {
      const owner = ownerOf(context);
      if (concurrency > CONCURRENCY_MAX) {
        throw new MainspringError("invalid_argument", `concurrency: must be at most ${CONCURRENCY_MAX}`, {
          param: "concurrency",
        });
      }
      const definition = parseDefinition(definition_json);
      const { subject } = context.principal;
      const { head, created } = await createExperiment(ports, { owner, subject, definition, concurrency });
      return { experiment: await message(head, definitionJson(definition)), created };
    },
    GetExperiment: async ({ experiment_id }, context) => {
      const head = await find(context, experiment_id);
      return { experiment: await message(head, definitionJson(await states.definition(head))) };
    },
    ListExperiments: async ({ page_size, page_token }, context) => {
      const { tenant } = ownerOf(context);
      const limit = pageSize(page_size, EXPERIMENTS_PAGE_MAX);
      const { heads, next } = await listExperiments(ports, tenant, limit, page_token);
      const experiments = [];
      for (const head of heads) experiments.push(await message(head));
      return { experiments, next_page_token: next };
    },
    CancelExperiment: async ({ experiment_id }, context) => {
      const head = await cancelExperiment(ports, ownerOf(context).tenant, experiment_id);
      return { experiment: await message(head) };
    },
    GetReport: async ({ experiment_id, baseline }, context) => {
      const head = await find(context, experiment_id);
      return { report_json: await reportJson(ports, head, baseline) };
    },
    ListAttempts: async ({ experiment_id, page_size, page_token }, context) => {
      const head = await find(context, experiment_id);
      const page = await listAttempts(ports, head, pageSize(page_size, ATTEMPTS_PAGE_MAX), page_token);
      return { attempts: page.attempts.map(attemptOf), next_page_token: page.next };
    },
    WatchExperiment: async function* ({ experiment_id }, context) {
      const { tenant } = ownerOf(context);
      for await (const { head, counts } of watchExperiment(ports, tenant, experiment_id, context.signal)) {
        yield { experiment: experimentOf(head, counts, "") };
      }
    },
  };
}

/** Whose experiments the caller means, and what their runs may do. */
function ownerOf({ principal: { tenant, scopes } }: CallContext): Owner {
  if (tenant === "") throw new MainspringError("unauthenticated", "experiments belong to a tenant; say whose");
  return { tenant, admin: scopes.includes("admin") };
}

/** 0 asks for the default. */
function pageSize(asked: number, max: number): number {
  if (asked <= max) return asked === 0 ? PAGE_DEFAULT : asked;
  throw new MainspringError("invalid_argument", `page_size must be at most ${max}`, { param: "limit" });
}

async function reportJson(ports: EvalRunnerPorts, head: ExperimentHead, wanted: string): Promise<string> {
  const definition = await ports.states.definition(head);
  const names = definition.subjects.map(({ name }) => name);
  const baseline = wanted === "" ? names[0]! : wanted;
  if (!names.includes(baseline)) {
    throw new MainspringError(
      "invalid_argument",
      `baseline: there is no subject ${JSON.stringify(baseline)}; there are ${names.join(", ")}`,
      {
        param: "baseline",
      },
    );
  }
  return JSON.stringify(reportOf(definition, await outcomesOf(ports, head), baseline));
}
