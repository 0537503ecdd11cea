import { defineConfig } from "vitest/config";

/** One project a kind of test; `npm test` runs them all, `npm run check` the unit tests only. */
const kinds = ["smoke", "contract", "integration", "e2e", "simulation", "faults", "tidy"] as const;

/** Kinds that use a real Redis and MongoDB. */
const withServers: readonly string[] = ["contract", "integration", "e2e", "faults"];

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["packages/*/src/**/*.test.ts", "services/*/src/**/*.test.ts"] } },
      ...kinds.map((kind) => ({
        test: {
          name: kind,
          include: [`tests/${kind}/**/*.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: withServers.includes(kind) ? ["tests/support/servers-setup.ts"] : [],
        },
      })),
    ],
  },
});
