/** The tools of this runner by name. */
import { assert, hashParts } from "@mainspring/kernel";

import type { Tool } from "../ports/tool.ts";

export class Catalogue {
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Changes whenever any definition does. */
  readonly digest: string;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    assert(this.#tools.size === tools.length, "no two tools have the same name");
    this.digest = hashParts(
      tools.flatMap(({ name, description, parameters, recovery, exclusive }) => [
        name,
        description,
        JSON.stringify(parameters),
        recovery,
        String(exclusive),
      ]),
    );
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  list(): readonly Tool[] {
    return [...this.#tools.values()];
  }
}
