/** `docker-compose.yml` as data, and as processes on this machine: each service of ours with exactly its environment. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

import { freePort } from "./free-port.ts";
import { projectRoot } from "./program.ts";

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export function composeFile(): ComposeFile {
  return parse(readFileSync(join(projectRoot, "docker-compose.yml"), "utf8"), { merge: true }) as ComposeFile;
}

/** Those that run our image, by name, with what they run: `serve <service>`. */
export function ourServices({ services }: ComposeFile): Map<string, ComposeService & { readonly runs: string }> {
  const ours = Object.entries(services).filter(([, { image }]) => image === "mainspring");
  return new Map(ours.map(([name, service]) => [name, { ...service, runs: service.command?.[1] ?? "" }]));
}

/** `${NAME:-default}` and `${NAME:?why}` filled in. */
export function substituted(
  environment: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const fill = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind?: string, rest = "") => {
      const value = given[name];
      if (value !== undefined) return value;
      if (kind === "-") return rest;
      throw new Error(`${name} must be given: ${rest}`);
    });
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(String(value))]));
}

export interface LoopbackService {
  readonly name: string;
  readonly runs: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What its health check asks. */
  readonly healthUrl: string;
}

/** The services as they run here: every `host:port` of the network has a free port of this machine instead. */
export async function onLoopback(
  file: ComposeFile,
  given: Readonly<Record<string, string>>,
  stores: { readonly redisUrl: string; readonly mongoUrl: string; readonly otlpUrl: string },
): Promise<LoopbackService[]> {
  const ports = new Map<string, number>();
  const portOf = async (place: string): Promise<number> => {
    const known = ports.get(place) ?? (await freePort());
    ports.set(place, known);
    return known;
  };
  const names = [...ourServices(file).keys()];
  const addresses = new RegExp(`\\b(${names.join("|")}|0\\.0\\.0\\.0):(\\d+)`, "g");
  const services: LoopbackService[] = [];
  for (const [name, { runs, environment = {}, healthcheck }] of ourServices(file)) {
    const mapped: Record<string, string> = {};
    for (const [variable, value] of Object.entries(substituted(environment, given))) {
      let text = value;
      for (const [all, host, port] of value.matchAll(addresses)) {
        const place = `${host === "0.0.0.0" ? name : host}:${port}`;
        text = text.replace(all, `127.0.0.1:${await portOf(place)}`);
      }
      mapped[variable] = text;
    }
    if (mapped["PORT"] !== undefined) mapped["PORT"] = String(await portOf(`${name}:${mapped["PORT"]}`));
    if (mapped["HOST"] !== undefined) mapped["HOST"] = "127.0.0.1";
    Object.assign(mapped, {
      MAINSPRING_REDIS_URL: stores.redisUrl,
      MAINSPRING_MONGO_URL: stores.mongoUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: stores.otlpUrl,
    });
    const [, port = "", path = ""] = /127\.0\.0\.1:(\d+)(\/\w+)/.exec(healthcheck?.test.join(" ") ?? "") ?? [];
    services.push({
      name,
      runs,
      environment: mapped,
      healthUrl: `http://127.0.0.1:${await portOf(`${name}:${port}`)}${path}`,
    });
  }
  return services;
}
