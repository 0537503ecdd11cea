/** `mainspring serve <service>`: one service in this process, as `node services/<service>/src/main.ts` runs it. */
import type { Command } from "commander";

import { setEnvironment } from "../config.ts";
import { addVariableFlags, givenFlags } from "../flags.ts";
import { SERVICE_NAMES, SERVICES } from "../server-config.ts";
import type { ServiceName } from "../server-config.ts";
import { examples } from "./context.ts";

interface Service {
  readonly purpose: string;
  readonly main: () => Promise<unknown>;
  readonly example: string;
}

const SERVICE: Readonly<Record<ServiceName, Service>> = {
  "model-router": {
    purpose: "Calls models behind labels.",
    main: () => import("@mainspring/model-router/main"),
    example: "--listen 127.0.0.1:7001",
  },
  "tool-runner": {
    purpose: "Runs tools in sandboxes and keeps the effect ledger.",
    main: () => import("@mainspring/tool-runner/main"),
    example: "--listen 127.0.0.1:7002 --engine-worker-addr 127.0.0.1:7003",
  },
  "memory-brain": {
    purpose: "Keeps Spaces: the long-term memory.",
    main: () => import("@mainspring/memory-brain/main"),
    example: "--listen 127.0.0.1:7004",
  },
  "engine-worker": {
    purpose: "Holds sessions and runs the loop of their agents.",
    main: () => import("@mainspring/engine-worker/main"),
    example: "--listen 127.0.0.1:7003 --model-router-addr 127.0.0.1:7001 --tool-runner-addr 127.0.0.1:7002",
  },
  gateway: {
    purpose: "Serves the public HTTP API.",
    main: () => import("@mainspring/gateway/main"),
    example: "--port 8080 --engine-worker-addr 127.0.0.1:7003 --model-router-addr 127.0.0.1:7001",
  },
  "eval-runner": {
    purpose: "Runs experiments through a gateway.",
    main: () => import("@mainspring/eval-runner/main"),
    example: "--listen 127.0.0.1:7005 --gateway-url http://127.0.0.1:8080",
  },
};

export function defineCommand(serve: Command): void {
  serve
    .usage("<service> [options]")
    .addHelpText("after", examples(...SERVICE_NAMES.map((name) => `mainspring serve ${name} --help`)));
  for (const name of SERVICE_NAMES) serveOne(serve, name);
}

function serveOne(serve: Command, name: ServiceName): void {
  const { purpose, main, example } = SERVICE[name];
  const variables = Object.values(SERVICES[name]);
  const stores = "--redis-url redis://127.0.0.1 --mongo-url mongodb://127.0.0.1";
  const listen = example.replace("--listen", `--${name}-listen`);
  const command = serve
    .command(name)
    .description(purpose)
    .addHelpText("after", examples(`mainspring serve ${name} ${stores} ${listen}`));
  addVariableFlags(command, "Options:", variables);
  command.action(async () => {
    setEnvironment(givenFlags(command, variables));
    await main();
  });
}
