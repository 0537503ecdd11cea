/** The files of `deploy/`, the Dockerfile and the compose file against what the code says of itself. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { SERVICE_NAMES, SERVICES } from "@mainspring/cli";
import { readConfig } from "@mainspring/service-kit";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { composeFile, ourServices, substituted } from "../support/compose-file.ts";

const root = new URL("../..", import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const file = composeFile();
const ours = ourServices(file);
const given = { MAINSPRING_ADMIN_KEY: "key" };
const known = new Set(Object.values(SERVICES).flatMap((variables) => Object.values(variables).map(({ name }) => name)));
const upper = (service: string): string => service.toUpperCase().replaceAll("-", "_");
const isService = (name: string): name is (typeof SERVICE_NAMES)[number] =>
  SERVICE_NAMES.some((service) => service === name);

describe("docker-compose.yml", () => {
  test("has every service, in replicas where work is shared", () => {
    const counts = Map.groupBy(ours.values(), ({ runs }) => runs);
    expect([...counts.keys()].toSorted()).toEqual([...SERVICE_NAMES].toSorted());
    for (const service of ["engine-worker", "tool-runner", "memory-brain"]) expect(counts.get(service)).toHaveLength(2);
    expect(Object.keys(file.services)).toEqual(expect.arrayContaining(["redis", "mongo", "otel-collector", "jaeger"]));
  });

  test.each([...ours.keys()])("%s: its environment is what its configuration reads", (name) => {
    const { runs, environment = {}, command } = ours.get(name)!;
    expect(command?.[0]).toBe("serve");
    if (!isService(runs)) throw new Error(`there is no service ${runs}`);
    const filled = substituted(environment, given);
    const unknown = Object.keys(filled).filter((variable) => !known.has(variable) && !variable.startsWith("OTEL_"));
    expect(unknown).toEqual([]);
    const config = readConfig(SERVICES[runs], filled);
    expect(config.drainMs).toBeLessThan(1_000 * Number.parseInt(ours.get(name)!.stop_grace_period ?? "0", 10));
    const own = Object.keys(filled).filter((variable) => variable.endsWith("_LISTEN"));
    expect(own.every((variable) => variable.startsWith(`MAINSPRING_${upper(runs)}_`))).toBe(true);
  });

  test.each([...ours.keys()])("%s: whom it is told of listens there", (name) => {
    const { environment = {} } = ours.get(name)!;
    for (const [variable, value] of Object.entries(environment)) {
      const [, service] = /^MAINSPRING_(\w+)_ADDR$/.exec(variable) ?? [];
      if (service === undefined) continue;
      const replicas = [...ours.values()].filter(({ runs }) => upper(runs) === service);
      const listening = replicas.map((replica) => String(replica.environment![`MAINSPRING_${service}_LISTEN`]));
      expect(value.split(",").toSorted(), variable).toEqual(listening.toSorted());
      for (const address of value.split(",")) expect(ours.has(address.split(":")[0]!)).toBe(true);
    }
    for (const store of ["redis", "mongo"]) expect(Object.keys(ours.get(name)!.depends_on!)).toContain(store);
  });

  test.each([...ours.keys()])("%s: its health check asks where it answers", (name) => {
    const { runs, environment = {}, healthcheck, user } = ours.get(name)!;
    const [, port, path] = /127\.0\.0\.1:(\d+)(\/\w+)/.exec(healthcheck!.test.join(" "))!;
    const http = environment[`MAINSPRING_${upper(runs)}_HTTP_LISTEN`] ?? `0.0.0.0:${environment["PORT"]}`;
    expect([path, `0.0.0.0:${port}`]).toEqual(["/readyz", http]);
    expect(user).toBe("10001:10001");
  });

  test("volumes that are used are declared, and published ports are on loopback", () => {
    const used = Object.values(file.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(":")[0]!),
    );
    const named = used.filter((volume) => !volume.startsWith("."));
    expect(Object.keys(file.volumes).toSorted()).toEqual([...new Set(named)].toSorted());
    for (const volume of used.filter((path) => path.startsWith("."))) expect(existsSync(join(root, volume))).toBe(true);
    const ports = Object.values(file.services).flatMap(({ ports: published = [] }) => published);
    expect(ports.every((port) => port.startsWith("127.0.0.1:"))).toBe(true);
  });
});

describe("Dockerfile", () => {
  const lines = read("Dockerfile").split("\n");

  test("runs as 10001:10001 from sources that exist, and is told nothing that is not known", () => {
    expect(lines).toContain("USER 10001:10001");
    const [entry] = lines
      .filter((line) => line.startsWith("ENTRYPOINT"))
      .map((line) => JSON.parse(line.slice(11)) as string[]);
    expect(existsSync(join(root, entry![1]!))).toBe(true);
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(" ").slice(1, -1));
    expect(copied.length).toBeGreaterThan(3);
    for (const source of copied) expect(existsSync(join(root, source)), source).toBe(true);
    const ignored = read(".dockerignore").split("\n");
    for (const source of copied) expect(ignored).toContain(`!${source.split("/")[0]}`);
    const variables = [...read("Dockerfile").matchAll(/\b(MAINSPRING_\w+|HOST|PORT)=/g)].map(([, name]) => name!);
    expect(variables.filter((name) => !known.has(name))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("FROM")).every((line) => line.includes("node:24-"))).toBe(true);
    const port = SERVICES.gateway.port.schema.parse(undefined);
    expect(lines).toContain(`EXPOSE ${port}`);
  });
});

describe("deploy/", () => {
  test("the collector scrapes every service where it answers", () => {
    interface Scrape {
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }
    const collector = parse(read("deploy/otel/collector.yaml")) as {
      receivers: {
        prometheus: { config: { scrape_configs: readonly Scrape[] } };
        otlp: { protocols: { http: { endpoint: string } } };
      };
    };
    const targets = collector.receivers.prometheus.config.scrape_configs[0]!.static_configs[0]!.targets;
    const expected = [...ours].map(([name, { runs, environment = {} }]) => {
      const http = environment[`MAINSPRING_${upper(runs)}_HTTP_LISTEN`];
      return `${name}:${http === undefined ? environment["PORT"] : http.split(":")[1]}`;
    });
    expect([...targets].toSorted()).toEqual(expected.toSorted());
    const { endpoint } = collector.receivers.otlp.protocols.http;
    const sent = [...ours.values()].map(({ environment = {} }) => environment["OTEL_EXPORTER_OTLP_ENDPOINT"]);
    expect(new Set(sent)).toEqual(new Set([`http://otel-collector:${endpoint.split(":")[1]}`]));
  });

  test.each(readdirSync(join(root, "deploy/systemd")))(
    "systemd/%s starts what there is and waits for its drain",
    (unit) => {
      const text = read(`deploy/systemd/${unit}`);
      const [, command, args] = /^ExecStart=\/opt\/mainspring\/(\S+) (.+)$/m.exec(text)!;
      expect(existsSync(join(root, command!))).toBe(true);
      expect(["up", "serve %i"]).toContain(args);
      for (const [, name] of text.matchAll(/^Environment=(\w+)=/gm)) expect(known).toContain(name);
      const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text)!;
      expect(Number(seconds) * 1_000).toBeGreaterThan(SERVICES.gateway.drainMs.schema.parse(undefined));
      expect(text).toContain("RestartPreventExitStatus=78");
    },
  );
});
