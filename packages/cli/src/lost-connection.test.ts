import { MainspringError } from "@mainspring/kernel";
import { expect, test } from "vitest";

import { LostConnection } from "./lost-connection.ts";

function connection() {
  const said: string[] = [];
  return { said, lost: new LostConnection("ses_1", "run_1", (sentence) => said.push(sentence)) };
}

test("a short interruption is passed over; a longer one is told once, and its end", () => {
  const { said, lost } = connection();
  lost.tried(1);
  lost.found();
  expect(said).toEqual([]);
  for (let tries = 1; tries <= 12; tries += 1) lost.tried(tries);
  expect(said).toEqual(["the connection to the server was lost; trying again"]);
  lost.found();
  lost.found();
  expect(said.slice(1)).toEqual(["connected again"]);
});

test("who gives up says that the run goes on and how to follow it, unless the server refused", () => {
  const { said, lost } = connection();
  lost.gaveUp(new MainspringError("unauthenticated", "no key"));
  expect(said).toEqual([]);
  lost.gaveUp(new MainspringError("unavailable", "nobody answers"));
  expect(said[0]).toContain("mainspring events ses_1 --run run_1 --follow");
});
