/** A variable that nobody knows is warned of, so the list of those that are known has to be whole. */
import { expect, test } from "vitest";

import { clientVariables } from "../../packages/cli/src/config.ts";
import { SERVICES } from "../../packages/cli/src/server-config.ts";
import { KNOWN_VARIABLES, OWN_PREFIX } from "../../packages/service-kit/src/config/known-variables.ts";

test("the list of known variables is what the services and the command read", () => {
  const tables = [...Object.values(SERVICES), clientVariables];
  const read = new Set(tables.flatMap((table) => Object.values(table).map(({ name }) => name)));
  const own = [...read].filter((name) => name.startsWith(OWN_PREFIX));
  expect(own.length).toBeGreaterThan(30);
  expect(new Set(KNOWN_VARIABLES)).toEqual(new Set(own));
  expect(KNOWN_VARIABLES).toHaveLength(own.length);
});
