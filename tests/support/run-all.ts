/**
 * `npm test`: every kind of test, each after the other, with the servers that they need. Ends with one line
 * `N passed, N failed`. Under CI=true what could not be tested is a failure.
 */
import { relative } from "node:path";

import { startVitest } from "vitest/node";
import type { TestCase, TestModule, Vitest } from "vitest/node";

interface Outcome {
  passed: number;
  readonly failures: string[];
  readonly skips: string[];
}

function skipOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" ? result.note : undefined;
  return note === undefined ? test.fullName : `${test.fullName}: ${note}`;
}

function countModule(module: TestModule, outcome: Outcome): void {
  const file = relative(process.cwd(), module.moduleId);
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === "passed") outcome.passed += 1;
    else if (state === "skipped") outcome.skips.push(skipOf(test));
    else outcome.failures.push(`${file}: ${test.fullName}`);
  }
  // A file or a suite that fails outside of its tests: set-up, clean-up, imports.
  const suites = [...module.children.allSuites()];
  if (module.errors().length > 0) outcome.failures.push(`${file}: outside of its tests`);
  for (const suite of suites) if (suite.errors().length > 0) outcome.failures.push(`${file}: ${suite.fullName}`);
}

function count(vitest: Vitest): Outcome {
  const outcome: Outcome = { passed: 0, failures: [], skips: [] };
  const modules = vitest.state.getTestModules();
  for (const module of modules) countModule(module, outcome);
  for (const error of vitest.state.getUnhandledErrors()) {
    outcome.failures.push(`unhandled: ${error instanceof Error ? error.message : String(error)}`);
  }
  return outcome;
}

function report({ passed, failures, skips }: Outcome): boolean {
  const strict = process.env["CI"] === "true";
  for (const failure of failures) console.log(`failed: ${failure}`);
  for (const skip of skips) console.log(`skipped: ${skip}`);
  if (skips.length > 0 && strict) console.log("what was skipped counts as failed, because CI=true");
  if (passed === 0) console.log("no test was found, which counts as failed");
  const failed = failures.length + (strict ? skips.length : 0) + (passed === 0 ? 1 : 0);
  const skipped = skips.length > 0 && !strict ? `, ${skips.length} skipped` : "";
  console.log(`${passed} passed, ${failed} failed${skipped}`);
  return failed === 0;
}

async function run(): Promise<boolean> {
  const vitest = await startVitest(process.argv.slice(2), { watch: false, run: true, passWithNoTests: true });
  await vitest.close();
  return report(count(vitest));
}

let passed = false;
try {
  passed = await run();
} catch (error) {
  console.error(error);
  console.log("0 passed, 1 failed");
}
process.exit(passed ? 0 : 1);
