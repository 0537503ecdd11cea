/** A Space to measure on, filled through the engine itself. */
import type { RequestContext } from "../../../services/memory-brain/src/index.ts";
import type { SpaceStore } from "../../../services/memory-brain/src/index.ts";

export const context: RequestContext = {
  caller: "bench",
  authority: { principal: "owner", actor: undefined },
  readOnly: false,
};

const WORDS =
  "amber basin cedar delta ember fjord grove harbor island jasper kernel lagoon meadow nectar orchid prairie quartz river summit tundra umber valley willow xenon yarrow zephyr".split(
    " ",
  );
const words = (n: number): string =>
  [n, Math.floor(n / 26), Math.floor(n / 676)].map((part) => WORDS[part % 26]).join(" ");

export async function must(
  space: SpaceStore,
  command: string,
  parameters: Record<string, unknown> = {},
): Promise<unknown> {
  const response = await space.execute({ kip: "2.0", operations: [{ command, parameters }] }, context);
  const result = response.results[0];
  if (response.error !== undefined || result?.error !== undefined)
    throw new Error(JSON.stringify(response.error ?? result?.error));
  return result?.result;
}

const PERSON =
  'UPSERT CONCEPT ?a { MATCH {type: "Person", key: KEY} SET FIELDS {name: NAME} SET ATTRIBUTES {note: NOTE} }';

/** MUTATE blocks of many statements each, so that loading is not bounded by the disk. */
async function load(space: SpaceStore, count: number, size: number, statement: (n: number) => string): Promise<void> {
  const pending: Promise<unknown>[] = [];
  for (let start = 0; start < count; start += size) {
    const statements = Array.from({ length: Math.min(size, count - start) }, (_, offset) => statement(start + offset));
    pending.push(must(space, `MUTATE { ${statements.join("\n")} }`));
    if (pending.length >= 8) await pending.shift();
  }
  await Promise.all(pending);
}

/**
 * Concepts C-1…n. Hub C-1 knows 40 people, each of whom knows 25 others (1,000 two-hop results); C-500 has stated its
 * time zone three times; the remaining propositions join people at random.
 */
export async function fillConcepts(space: SpaceStore, concepts: number): Promise<void> {
  const person = (n: number): string =>
    PERSON.replace("?a", `?a${n}`)
      .replace("KEY", `"person-${n}"`)
      .replace("NAME", `"${words(n)} ${n}"`)
      .replace("NOTE", `"the common remark of the house about ${words(n * 7)}"`);
  await load(space, concepts, 200, (n) => person(n + 1));
}

export async function fillPropositions(space: SpaceStore, concepts: number, propositions: number): Promise<void> {
  let random = 7;
  const next = (below: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((random / 4_294_967_296) * below);
  };
  const knows = (a: number, b: number): string => `ENSURE PROPOSITION ({id: "C-${a}"}, "knows", {id: "C-${b}"})`;
  const tuples: string[] = [];
  for (let i = 0; i < 40; i++) {
    tuples.push(knows(1, 2 + i));
    for (let j = 0; j < 25; j++) tuples.push(knows(2 + i, 1000 + ((i * 25 + j) % (concepts - 1000))));
  }
  await load(
    space,
    propositions,
    200,
    (n) => tuples[n] ?? knows(1000 + next(concepts - 1000), 1000 + next(concepts - 1000)),
  );
  for (const [day, zone] of [
    ["01", "+01:00"],
    ["02", "+02:00"],
    ["03", "+01:00"],
  ] as const) {
    const body = `{by: :a, mode: "stated", at: "2026-01-${day}T00:00:00.000Z", valid: {from: "2026-01-${day}T00:00:00.000Z"}}`;
    await must(space, `ASSERT (:a, "timezone", :zone) ${body}`, { a: { id: "C-500" }, zone });
  }
}
