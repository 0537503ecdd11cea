import { defineConfig } from "vitest/config";

/** One project a kind of test; `npm test` runs them all, `npm run check` the unit tests only. */
const kinds = ["tidy", "smoke", "contract", "simulation", "integration", "e2e", "faults"] as const;

/** Kinds that use a real Redis and MongoDB. */
const withServers: readonly string[] = ["smoke", "contract", "integration", "e2e", "faults"];

/** Kinds that start processes, whose files run one after the other. */
const alone: readonly string[] = ["smoke", "integration", "e2e", "faults"];
const WORKERS_MAX = 2;

export default defineConfig({
  test: {
    maxWorkers: WORKERS_MAX,
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "services/*/src/**/*.test.ts"],
          // Generous: it only says when a test hangs, on a busy machine too.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      ...kinds.map((kind, index) => ({
        test: {
          name: kind,
          include: [`tests/${kind}/**/*.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: withServers.includes(kind) ? ["tests/support/servers-setup.ts"] : [],
          fileParallelism: !alone.includes(kind),
          // One kind after the other: those that look at time do not share the machine with those that fill it.
          sequence: { groupOrder: index + 1 },
        },
      })),
    ],
  },
});
