/** Variables as flags: every variable of a service can also be given on the command line, which wins. */
import { flagOf } from "@mainspring/service-kit/settings";
import type { Environment, Variable } from "@mainspring/service-kit/settings";
import { Option } from "commander";
import type { Command } from "commander";

import { isOfSeparateProcesses, SERVICES } from "./server-config.ts";

type AnyVariable = Variable<unknown>;

function optionOf(variable: AnyVariable): Option {
  const { name, description, schema } = variable;
  const parsed = schema.safeParse(undefined);
  const fallback = parsed.success ? parsed.data : undefined;
  const shown =
    fallback === undefined ? "" : ` (default: ${typeof fallback === "string" ? fallback : JSON.stringify(fallback)})`;
  return new Option(`--${flagOf(name)} <value>`, `${description}${shown} [${name}]`);
}

/** Adds a flag for each, under a heading of the help. */
export function addVariableFlags(command: Command, heading: string, variables: readonly AnyVariable[]): void {
  for (const variable of variables) command.addOption(optionOf(variable).helpGroup(heading));
}

/** The flags that were given, under the names of their variables. */
export function givenFlags(command: Command, variables: readonly AnyVariable[]): Environment {
  const values = command.opts<Record<string, unknown>>();
  const given: Record<string, string> = {};
  for (const variable of variables) {
    const value = values[optionOf(variable).attributeName()];
    if (typeof value === "string") given[variable.name] = value;
  }
  return given;
}

const SHARED = "All services:";

/** Variables under the heading of the service that has them; those of several services come first. */
function variableGroups(): Map<string, AnyVariable[]> {
  const users = new Map<string, { readonly variable: AnyVariable; readonly services: string[] }>();
  for (const [service, variables] of Object.entries(SERVICES)) {
    for (const variable of Object.values(variables)) {
      if (isOfSeparateProcesses(variable)) continue;
      const known = users.get(variable.name);
      if (known === undefined) users.set(variable.name, { variable, services: [service] });
      else known.services.push(service);
    }
  }
  const groups = new Map<string, AnyVariable[]>([[SHARED, []]]);
  for (const { variable, services } of users.values()) {
    const heading = services.length > 1 ? SHARED : `${services[0]}:`;
    groups.set(heading, [...(groups.get(heading) ?? []), variable]);
  }
  return groups;
}

/** Flags for every variable of a server in one process. Returns what reads those given. */
export function addEmbeddedFlags(command: Command): () => Environment {
  const groups = variableGroups();
  for (const [heading, variables] of groups) addVariableFlags(command, heading, variables);
  return () => givenFlags(command, [...groups.values()].flat());
}
