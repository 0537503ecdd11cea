/** Elements of a Space for an explanation: looked up together, each once, within bounds. */
import type { Json, JsonObject, KipResponse } from "@mainspring/kip";
import { isObject } from "@mainspring/kip";

import { brief } from "../output.ts";

/** Slots that are explained of one response; of further ones it says so. */
export const SLOTS_MAX = 10;
/** Claims that are shown for a value, and against it. */
export const CLAIMS_MAX = 5;
/** Elements that are looked up for an explanation. */
const ELEMENTS_MAX = 200;
export const LABEL_CHARS_MAX = 60;

export interface Operation {
  readonly command: string;
  readonly parameters?: JsonObject;
}

/** Sends operations that only read, each by itself. */
export type Ask = (operations: readonly Operation[]) => Promise<KipResponse>;

/** Of a reference; empty where it is none. */
export function idOf(value: Json | undefined): string {
  const id = isObject(value ?? null) ? (value as JsonObject)["id"] : undefined;
  return typeof id === "string" ? id : "";
}

/** Elements of the Space by id, each asked for once. */
export class Elements {
  readonly #ask: Ask;
  readonly #found = new Map<string, JsonObject>();
  readonly #silent = new Map<string, readonly string[]>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async load(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => id !== "" && !this.#found.has(id));
    const asked = wanted.slice(0, ELEMENTS_MAX - this.#found.size);
    if (asked.length === 0) return;
    const { results } = await this.#ask(asked.map(lookUp));
    for (const [index, { result }] of results.entries()) {
      const element = Array.isArray(result) ? result[0] : undefined;
      if (isObject(element ?? null)) this.#found.set(asked[index]!, element as JsonObject);
    }
  }

  /** Claims about propositions, of which the belief names none: replaced, taken back, or of another time. */
  async loadClaims(propositions: readonly string[]): Promise<void> {
    const asked = [...new Set(propositions)].filter((id) => id !== "").slice(0, SLOTS_MAX);
    if (asked.length === 0) return;
    const command = `FIND(?a) WHERE { ?p PROPOSITION (id: :id) ?a ASSERTION {proposition: ?p} } ORDER BY ?a.asserted_at DESC LIMIT ${CLAIMS_MAX}`;
    const { results } = await this.#ask(asked.map((id) => ({ command, parameters: { id } })));
    for (const [index, { result }] of results.entries()) {
      const claims = (Array.isArray(result) ? result : []).filter(isObject);
      for (const claim of claims) this.#found.set(idOf(claim), claim);
      this.#silent.set(
        asked[index]!,
        claims.map((claim) => idOf(claim)),
      );
    }
  }

  /** Claims about a proposition that were looked up because none of them counts. */
  silentClaims(proposition: string): readonly string[] {
    return this.#silent.get(proposition) ?? [];
  }

  get(id: string): JsonObject | undefined {
    return this.#found.get(id);
  }

  all(): Iterable<JsonObject> {
    return this.#found.values();
  }

  /** What it is called, with its id. */
  label(id: string): string {
    const { name, key } = this.get(id) ?? {};
    const called = [name, key].find((text): text is string => typeof text === "string" && text !== "");
    return called === undefined ? id : `${brief(called, LABEL_CHARS_MAX)} (${id})`;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  C: "{id: :id}",
  A: "ASSERTION {id: :id}",
  P: "PROPOSITION (id: :id)",
};

/** Ids begin with the letter of their kind. */
export function lookUp(id: string): Operation {
  return { command: `FIND(?x) WHERE { ?x ${KINDS[id[0] ?? ""] ?? KINDS["C"]} } LIMIT 1`, parameters: { id } };
}
