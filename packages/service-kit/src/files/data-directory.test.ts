import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MainspringError } from "@mainspring/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";

import { lockDataDir } from "../lifecycle/data-lock.ts";
import { makeDirectory, usableDirectory } from "./data-directory.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "mainspring-directory-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function problemOf(act: () => unknown): MainspringError {
  try {
    act();
  } catch (error) {
    return MainspringError.from(error);
  }
  throw new Error("it did not throw");
}

test("a directory is made with those above it, for its owner alone, and again is no error", () => {
  const path = join(folder, "a", "b", "c");
  makeDirectory(path);
  makeDirectory(path);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a directory that can be used is left empty", () => {
  const path = join(folder, "data");
  usableDirectory(path, "MAINSPRING_DATA_DIR");
  expect(readdirSync(path)).toEqual([]);
});

test("a file in the way is named, with the variable", () => {
  writeFileSync(join(folder, "file"), "");
  const error = problemOf(() => usableDirectory(join(folder, "file", "data"), "MAINSPRING_DATA_DIR"));
  expect(error).toMatchObject({ reason: "invalid_configuration" });
  expect(error.message).toMatch(/^MAINSPRING_DATA_DIR: .*data cannot be made or is no directory: /);
});

// Nobody can make a file there, and the recursive mkdir of Node never comes back from it.
test.runIf(process.platform === "linux")(
  "a directory that cannot be made, or not written to, is an error at once",
  () => {
    expect(problemOf(() => lockDataDir("/proc/mainspring/data")).message).toContain("cannot be made");
    expect(problemOf(() => lockDataDir("/proc")).message).toContain("cannot be written to");
  },
);

test("a lock file that is none is not taken for another server", () => {
  mkdirSync(join(folder, "lock.db"));
  expect(problemOf(() => lockDataDir(folder))).toMatchObject({
    reason: "invalid_configuration",
    message: expect.stringContaining("lock.db cannot be used"),
  });
});
