/** What every store of agents promises. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Agent } from "../../../services/engine-worker/src/domain/agents.ts";
import type { AgentStore } from "../../../services/engine-worker/src/ports/agent-store.ts";
import { losingReplies } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

function agent(name: string, more: Partial<Agent> = {}): Agent {
  const rest = { description: "d", model: "m", instructions: "i", tools: ["shell"], memory: "notes", exported: true };
  return { name, ...rest, ...more };
}

export function describeAgentStore(name: string, open: () => Promise<Harness<AgentStore>>): void {
  describe(`agent store: ${name}`, () => {
    let harness: Harness<AgentStore>;
    beforeEach(async () => void (harness = await open()));
    afterEach(() => harness.close());

    test("agents come back as they were, by name, within their tenant", async () => {
      const { subject } = harness;
      await subject.insert("acme", agent("b", { tools: "*" }));
      await subject.insert("acme", agent("a"));
      await subject.insert("other", agent("a", { model: "other" }));
      expect(await subject.list("acme")).toEqual([agent("a"), agent("b", { tools: "*" })]);
      expect(await subject.get("other", "a")).toEqual(agent("a", { model: "other" }));
      expect(await subject.get("acme", "c")).toBeNull();
    });

    test("of eight who insert one name at once, one does", async () => {
      const inserts = harness.peers.map((peer, index) => peer.insert("acme", agent("a", { model: `${index}` })));
      const results = await Promise.all(inserts);
      expect(results.filter((result) => result === "inserted")).toHaveLength(1);
      const winner = results.indexOf("inserted");
      expect((await harness.subject.get("acme", "a"))!.model).toBe(`${winner}`);
    });

    test("replacing and deleting, also over a restart and when the reply is lost", async () => {
      const { subject } = harness;
      await subject.insert("acme", agent("a"));
      await losingReplies(subject)
        .replace("acme", agent("a", { model: "next" }))
        .catch(() => undefined);
      await subject.replace("acme", agent("b"));
      const again = await harness.reopen();
      expect((await again.get("acme", "a"))!.model).toBe("next");
      expect(await again.delete("acme", "a")).toBe(true);
      expect(await again.delete("acme", "a")).toBe(false);
      expect(await again.list("acme")).toEqual([agent("b")]);
    });
  });
}
