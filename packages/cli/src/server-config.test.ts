import { Command } from "commander";
import { describe, expect, test } from "vitest";

import { addEmbeddedFlags, addVariableFlags, givenFlags } from "./flags.ts";
import { readEmbeddedConfig, SERVICES } from "./server-config.ts";

describe("the configuration of a server in one process", () => {
  test("has the defaults of every service", () => {
    const config = readEmbeddedConfig({});
    expect(config.gateway).toMatchObject({ port: 8080, host: "127.0.0.1", dataDir: "./.mainspring", auth: "on" });
    expect(config.engineWorker).toMatchObject({ hotWindowMs: 10_000 });
  });

  test("reports every problem of every service, those of several only once", () => {
    const environment = { PORT: "-1", MAINSPRING_DRAIN_MS: "x", MAINSPRING_SESSIONS_MAX: "0" };
    let message = "";
    try {
      readEmbeddedConfig(environment);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.split("\n").map((line) => line.split(" ")[0])).toEqual(
      expect.arrayContaining(["PORT", "MAINSPRING_DRAIN_MS", "MAINSPRING_SESSIONS_MAX"]),
    );
    expect(message.split("\n")).toHaveLength(3);
  });
});

describe("flags", () => {
  test("there is one for every variable that means something in one process, and no more", () => {
    const command = new Command("up");
    addEmbeddedFlags(command);
    const help = command.helpInformation();
    const names = Object.values(SERVICES).flatMap((variables) => Object.values(variables).map(({ name }) => name));
    for (const name of names)
      expect(help.includes(`[${name}]`), name).toBe(!/_ADDR$|_HTTP_LISTEN$|ISOLATED|GATEWAY_(URL|KEY)/.test(name));
  });

  test("those given come back under the names of their variables", async () => {
    const command = new Command("serve").exitOverride();
    const variables = Object.values(SERVICES["engine-worker"]);
    addVariableFlags(command, "Options:", variables);
    await command.parseAsync(["--hot-window-ms", "5", "--model-router-addr", "a:1"], { from: "user" });
    expect(givenFlags(command, variables)).toEqual({
      MAINSPRING_HOT_WINDOW_MS: "5",
      MAINSPRING_MODEL_ROUTER_ADDR: "a:1",
    });
  });
});
