import { expect, it } from "vitest";

import { placeOf } from "./placement.ts";
import type { KnownWorkers } from "./placement.ts";

/** This is worker `me` of shard 0; `near` and `far` live, `silent` lives and cannot be reached, `dead` is dead. */
const workers: KnownWorkers = {
  self: "me",
  shard: 0,
  isDead: (worker) => worker === "dead",
  addressOf: (worker) => ({ near: "near:1", far: "far:1", silent: "" })[worker],
  ofShard: (shard) => (shard === 2 ? { address: "far:1" } : null),
};

it.each([
  ["one that it holds is its own", { shard: 2, holder: "me" }, "here"],
  ["one that another holds is passed on", { shard: 0, holder: "near" }, { address: "near:1" }],
  ["one whose holder cannot be reached is nowhere", { shard: 0, holder: "silent" }, "nowhere"],
  ["one whose holder is not known yet is nowhere", { shard: 0, holder: "stranger" }, "nowhere"],
  ["a free one of its shard is its own", { shard: 0, holder: null }, "here"],
  ["one of its shard whose holder is dead is its own", { shard: 0, holder: "dead" }, "here"],
  ["a free one of another shard goes there", { shard: 2, holder: null }, { address: "far:1" }],
  ["one of another shard whose holder is dead goes there", { shard: 2, holder: "dead" }, { address: "far:1" }],
  ["one of a shard without a worker is taken by any", { shard: 7, holder: "dead" }, "here"],
] as const)("%s", (_, space, expected) => {
  expect(placeOf(space, workers)).toEqual(expected);
});
