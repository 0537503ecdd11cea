/** The `.env` file of the working directory, below what the environment itself says. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import type { Environment } from "./config.ts";

export function loadEnvFile(environment: Environment, path = ".env"): Environment {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return environment;
  }
  return { ...parseEnv(text), ...environment };
}
