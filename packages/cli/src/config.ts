/** The environment of the command itself. */
import { commonVariables, kinds, loadEnvFile, readConfig } from "@mainspring/service-kit/settings";
import type { ConfigOf, Environment, Variables } from "@mainspring/service-kit/settings";

export const clientVariables = {
  url: {
    name: "MAINSPRING_URL",
    description: "Server that the command talks to. Default: the one that runs on the data directory.",
    schema: kinds.url("http:", "https:"),
  },
  key: {
    name: "MAINSPRING_API_KEY",
    description: "API key. Default for the server of the data directory: its admin key.",
    schema: kinds.optionalText(),
    secret: true,
  },
  dataDir: commonVariables.dataDir,
} as const satisfies Variables;

export type ClientConfig = ConfigOf<typeof clientVariables>;

/** The process's environment over the `.env` file of the working directory. */
export function commandEnvironment(): Environment {
  return loadEnvFile(process.env);
}

/** Puts flags where the configuration of a service looks for them. */
export function setEnvironment(values: Environment): void {
  for (const [name, value] of Object.entries(values)) process.env[name] = value;
}

export function readClientConfig(environment: Environment): ClientConfig {
  return readConfig(clientVariables, environment);
}
