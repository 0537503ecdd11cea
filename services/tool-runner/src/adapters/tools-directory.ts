/**
 * Tools of the operator: every `.ts`, `.mjs` and `.js` module of a directory, loaded at start. They run inside the
 * runner with its rights. All problems are reported at once, each in a sentence that names its file.
 */
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { MainspringError } from "@mainspring/kernel";

import { RECOVERIES } from "../ports/tool.ts";
import type { JsonSchema, Recovery, Tool, ToolContext } from "../ports/tool.ts";

export const TOOLS_MAX = 500;
const MODULE = /\.(ts|mjs|js)$/;
const NOT_A_TOOL = /(\.test\.|\.d\.ts$|^[._])/;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
export const TIMEOUT_MS_DEFAULT = 60_000;
export const TIMEOUT_MS_MAX = 3_600_000;
const DESCRIPTION_CHARS_MAX = 8_000;
const SCHEMA_CHARS_MAX = 64_000;

/** What a module exports as its default. */
export interface ToolModule {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, of type object. */
  readonly parameters: JsonSchema;
  /** Default never_retry: a call of which nobody knows whether it took effect is told to the model as such. */
  readonly recovery?: Recovery;
  /** Runs alone within its turn; default false. */
  readonly exclusive?: boolean;
  readonly timeoutMs?: number;
  execute(args: Readonly<Record<string, unknown>>, context: ToolModuleContext): unknown;
}

export interface ToolModuleContext {
  readonly session: string;
  readonly run: string;
  readonly call: string;
  readonly attempt: number;
  readonly tenant: string;
  /** The same for every attempt of the call: hand it to whatever the tool changes. */
  readonly idempotencyKey: string;
  /** Directory of the session's files. */
  readonly workspace: string;
  /** W3C traceparent of the call's span: hand it on, and what the tool asks for lies in the same trace. */
  readonly traceparent: string;
  readonly signal: AbortSignal;
}

/** `taken`: names of other tools. `compile` throws for a schema that is none. Throws with all problems. */
export async function loadTools(
  directory: string,
  taken: readonly string[],
  compile: (schema: JsonSchema) => unknown,
): Promise<Tool[]> {
  const files = await modulesIn(directory);
  const tools: Tool[] = [];
  const problems: string[] = files.length > TOOLS_MAX ? [`There are more than ${TOOLS_MAX} modules in it.`] : [];
  const owners = new Map(taken.map((name) => [name, "the tools that ship"]));
  for (const file of files.slice(0, TOOLS_MAX)) {
    const loaded = await load(join(resolve(directory), file), compile);
    if (typeof loaded === "string") problems.push(`${file}: ${loaded}`);
    else {
      const owner = owners.get(loaded.name);
      if (owner !== undefined) problems.push(`${file}: the name ${loaded.name} belongs to ${owner}.`);
      owners.set(loaded.name, file);
      tools.push(loaded);
    }
  }
  if (problems.length > 0) throw invalid(`MAINSPRING_TOOLS_DIR (${directory}) cannot be used:`, problems);
  return tools;
}

/** Tools that the program brings along itself. Throws with all problems. */
export function givenTools(
  modules: readonly ToolModule[],
  taken: readonly string[],
  compile: (schema: JsonSchema) => unknown,
): Tool[] {
  const names = new Set(taken);
  const problems: string[] = [];
  const tools = modules.flatMap((module, index) => {
    const tool = toolOf(module, compile);
    const where = `tools[${index}]`;
    if (typeof tool === "string") problems.push(`${where}: ${tool}`);
    else if (names.has(tool.name)) problems.push(`${where}: the name ${tool.name} is taken.`);
    else {
      names.add(tool.name);
      return [tool];
    }
    return [];
  });
  if (problems.length > 0) throw invalid("These tools cannot be used:", problems);
  return tools;
}

async function modulesIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.filter((name) => MODULE.test(name) && !NOT_A_TOOL.test(name)).sort();
  } catch (error) {
    throw invalid(`MAINSPRING_TOOLS_DIR (${directory}) cannot be read:`, [(error as Error).message]);
  }
}

function invalid(sentence: string, problems: readonly string[]): MainspringError {
  return new MainspringError("invalid_argument", [sentence, ...problems.map((problem) => `  ${problem}`)].join("\n"), {
    reason: "invalid_configuration",
  });
}

/** The tool, or a sentence that says what is wrong with it. */
async function load(path: string, compile: (schema: JsonSchema) => unknown): Promise<Tool | string> {
  let module: unknown;
  try {
    module = ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (error) {
    return `it cannot be loaded: ${(error as Error).message}`;
  }
  if (typeof module !== "object" || module === null) return "it has no default export with the tool.";
  return toolOf(module, compile);
}

function toolOf(module: object, compile: (schema: JsonSchema) => unknown): Tool | string {
  const problems = problemsOf(module as Partial<Record<keyof ToolModule, unknown>>);
  if (problems.length > 0) return problems.join(" ");
  const tool = asTool(module as ToolModule);
  try {
    compile(tool.parameters);
  } catch (error) {
    return `its parameters are not a JSON Schema: ${(error as Error).message}.`;
  }
  return tool;
}

function problemsOf(module: Partial<Record<keyof ToolModule, unknown>>): string[] {
  const { name, description, parameters, recovery, exclusive, timeoutMs, execute } = module;
  const schema = parameters as JsonSchema | null | undefined;
  const checks: [boolean, string][] = [
    [typeof name === "string" && NAME.test(name), "its name must have 1 to 64 letters, digits, `_` or `-`."],
    [
      typeof description === "string" && description !== "" && description.length <= DESCRIPTION_CHARS_MAX,
      `its description must be a text of at most ${DESCRIPTION_CHARS_MAX} characters.`,
    ],
    [
      typeof schema === "object" && schema !== null && schema["type"] === "object" && isSmall(schema),
      "its parameters must be a JSON Schema of type object, not too large.",
    ],
    [
      recovery === undefined || RECOVERIES.includes(recovery as Recovery),
      `its recovery must be one of ${RECOVERIES.join(", ")}.`,
    ],
    [exclusive === undefined || typeof exclusive === "boolean", "exclusive must be true or false."],
    [
      timeoutMs === undefined ||
        (Number.isInteger(timeoutMs) && Number(timeoutMs) > 0 && Number(timeoutMs) <= TIMEOUT_MS_MAX),
      `timeoutMs must be a whole number from 1 to ${TIMEOUT_MS_MAX}.`,
    ],
    [typeof execute === "function", "execute must be a function."],
  ];
  return checks.filter(([fits]) => !fits).map(([, problem]) => problem);
}

function isSmall(schema: JsonSchema): boolean {
  try {
    return JSON.stringify(schema).length <= SCHEMA_CHARS_MAX;
  } catch {
    return false;
  }
}

function asTool(module: ToolModule): Tool {
  const { name, description, parameters, recovery = "never_retry", exclusive = false } = module;
  return {
    name,
    description,
    parameters,
    recovery,
    exclusive,
    timeoutMs: module.timeoutMs ?? TIMEOUT_MS_DEFAULT,
    execute: async (args, context) => await module.execute(args, await contextFor(context)),
  };
}

async function contextFor(context: ToolContext): Promise<ToolModuleContext> {
  const { session, run, call, attempt, tenant, idempotencyKey, traceparent, signal } = context;
  const { directory: workspace } = await context.workspace();
  return { session, run, call, attempt, tenant, idempotencyKey, workspace, traceparent, signal };
}
