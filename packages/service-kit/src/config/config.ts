/**
 * Configuration: a table of variables, read once at start. Every variable is also a flag (`MAINSPRING_DATA_DIR` is
 * `--data-dir`). All problems are reported at once, each in a sentence that names its variable.
 */
import { MainspringError } from "@mainspring/kernel";
import { z } from "zod";

import { unknownVariables } from "./unknown-variables.ts";

export interface Variable<T> {
  /** Name in the environment. */
  readonly name: string;
  readonly description: string;
  /** Reads the text (undefined when unset) into its value; carries the default. */
  readonly schema: z.ZodType<T>;
  /** Masked wherever the configuration is shown. */
  readonly secret?: boolean;
}

// eslint-disable-next-line typescript/no-explicit-any
export type Variables = Readonly<Record<string, Variable<any>>>;
export type ConfigOf<V extends Variables> = { readonly [K in keyof V]: V[K] extends Variable<infer T> ? T : never };
export type Environment = Readonly<Record<string, string | undefined>>;

/** The flag of a variable: without the prefix, in kebab case. */
export function flagOf(name: string): string {
  return name
    .replace(/^MAINSPRING_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
}

/**
 * An empty value counts as unset. Throws `invalid_argument` with one line per problem, and one for each variable that
 * nothing reads: it may be the misspelt name of what is missing.
 */
export function readConfig<V extends Variables>(variables: V, environment: Environment): ConfigOf<V> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, variable] of Object.entries(variables)) {
    const text = environment[variable.name];
    const parsed = variable.schema.safeParse(text === "" ? undefined : text);
    if (parsed.success) values[key] = parsed.data;
    else problems.push(problemOf(variable, text, parsed.error));
  }
  if (problems.length > 0) {
    const lines = [...problems, ...unknownVariables(environment)];
    throw new MainspringError("invalid_argument", lines.join("\n"), { reason: "invalid_configuration" });
  }
  return Object.freeze(values) as ConfigOf<V>;
}

function problemOf(variable: Variable<unknown>, text: string | undefined, error: z.ZodError): string {
  const what = error.issues.map((issue) => issue.message).join("; ");
  if (text === undefined || text === "") return `${variable.name} (--${flagOf(variable.name)}) is missing: ${what}.`;
  const shown = variable.secret === true ? "its value" : JSON.stringify(text);
  return `${variable.name} (--${flagOf(variable.name)}): ${shown} is not valid: ${what}.`;
}

/** What was set, for the start-up report; secrets are masked. */
export function shownConfig<V extends Variables>(variables: V, config: ConfigOf<V>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [key, { name, secret }] of Object.entries(variables)) {
    const value: unknown = config[key];
    if (value === undefined) continue;
    shown[name] = secret === true ? "***" : value;
  }
  return shown;
}

/** Text kinds that several services share. */
export const kinds = {
  text: (fallback: string): z.ZodType<string> => z.string().default(fallback),
  optionalText: (): z.ZodType<string | undefined> => z.string().optional(),
  integer: (fallback: number, min: number, max: number): z.ZodType<number> =>
    z
      .string()
      .regex(/^\d+$/, "must be a whole number")
      .transform(Number)
      .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
      .default(fallback),
  choice: <const T extends readonly [string, ...string[]]>(options: T, fallback: T[number]): z.ZodType<T[number]> =>
    z.enum(options, { error: `must be one of ${options.join(", ")}` }).default(fallback as never) as never,
  url: (...protocols: string[]): z.ZodType<string | undefined> =>
    z
      .string()
      .refine(
        (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
        `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
      )
      .optional(),
  /** `host:port`, or several separated by commas. */
  addresses: (): z.ZodType<string | undefined> =>
    z
      .string()
      .regex(/^[^\s:,/]+:\d{1,5}(,[^\s:,/]+:\d{1,5})*$/, "must be host:port, or several separated by commas")
      .optional(),
};

/** Value of MAINSPRING_DATA_DIR that keeps everything in memory. */
export const IN_MEMORY = "memory";

/** Variables that every service has. */
export const commonVariables = {
  logLevel: {
    name: "MAINSPRING_LOG_LEVEL",
    description: "Least level that is logged: debug, info, warn, error or silent.",
    schema: kinds.choice(["debug", "info", "warn", "error", "silent"], "info"),
  },
  dataDir: {
    name: "MAINSPRING_DATA_DIR",
    description: "Where an embedded server keeps its data, and a memory worker its copies; `memory` keeps nothing.",
    schema: kinds.text("./.mainspring"),
  },
  redisUrl: {
    name: "MAINSPRING_REDIS_URL",
    description: "Redis of a distributed deployment (queue and live bus).",
    schema: kinds.url("redis:", "rediss:"),
    secret: true,
  },
  mongoUrl: {
    name: "MAINSPRING_MONGO_URL",
    description: "MongoDB of a distributed deployment (sessions, ledger, artifacts, Spaces).",
    schema: kinds.url("mongodb:", "mongodb+srv:"),
    secret: true,
  },
  drainMs: {
    name: "MAINSPRING_DRAIN_MS",
    description: "How long a stopping service waits for what is under way, in milliseconds.",
    schema: kinds.integer(10_000, 0, 600_000),
  },
} as const satisfies Variables;

/** Where a service listens, and where its peers find it. `service` is its folder name. */
export function listenVariable(service: string): Variable<string | undefined> {
  const upper = service.toUpperCase().replaceAll("-", "_");
  return {
    name: `MAINSPRING_${upper}_LISTEN`,
    description: `host:port on which ${service} serves gRPC; port 0 picks a free one.`,
    schema: kinds.addresses(),
  };
}

/** Where a service that runs alone answers machines over HTTP. */
export function httpListenVariable(service: string): Variable<string | undefined> {
  const upper = service.toUpperCase().replaceAll("-", "_");
  return {
    name: `MAINSPRING_${upper}_HTTP_LISTEN`,
    description: `host:port on which ${service} alone answers /livez, /readyz and /metrics; none without it.`,
    schema: kinds.addresses(),
  };
}

export function addressVariable(service: string): Variable<string | undefined> {
  const upper = service.toUpperCase().replaceAll("-", "_");
  return {
    name: `MAINSPRING_${upper}_ADDR`,
    description: `host:port at which ${service} is found; several replicas separated by commas.`,
    schema: kinds.addresses(),
  };
}

/** The value of a variable that a service on its own cannot do without. */
export function neededVariable(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new MainspringError("invalid_argument", `${name} (--${flagOf(name)}) must be set: where is that service?`, {
    reason: "invalid_configuration",
  });
}
