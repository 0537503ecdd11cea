/** What every live bus keeps to while its server is there. */
import type { LiveBus } from "@mainspring/service-kit";
import { BUS_MESSAGE_BYTES_MAX } from "@mainspring/service-kit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { uniqueName } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

const KEEP = { entriesMax: 100, ttlMs: 60_000 };

export function describeLiveBus(name: string, open: () => Promise<Harness<LiveBus>>): void {
  describe(`live bus: ${name}`, () => {
    let harness: Harness<LiveBus>;
    let bus: LiveBus;
    let other: LiveBus;

    beforeAll(async () => {
      harness = await open();
      bus = harness.subject;
      other = harness.peers[1] ?? bus;
      await Promise.all([bus.ping(), other.ping()]);
    });
    afterAll(async () => await harness.close());

    async function listen(channel: string): Promise<{ seen: string[]; leave: () => void }> {
      const seen: string[] = [];
      const leave = await bus.subscribe(channel, (message) => seen.push(message));
      return { seen, leave };
    }

    /** After this, what was published before has arrived. */
    async function settled(channel: string): Promise<void> {
      const mark = `mark ${uniqueName()}`;
      const arrived = Promise.withResolvers<void>();
      const leave = await bus.subscribe(channel, (message) => message === mark && arrived.resolve());
      other.publish(channel, mark);
      await arrived.promise;
      leave();
    }

    test("messages arrive in order at every subscriber of their channel, and nowhere else", async () => {
      const channel = uniqueName();
      const [first, second, elsewhere] = [await listen(channel), await listen(channel), await listen(uniqueName())];
      const messages = Array.from({ length: 200 }, (_, index) => `${index} ünï ☃`);
      for (const [index, message] of messages.entries()) {
        if (index % 3 === 0) other.publishRetained(channel, message, KEEP);
        else other.publish(channel, message);
      }
      await vi.waitFor(() => expect(second.seen).toHaveLength(messages.length));
      expect(first.seen).toEqual(messages);
      expect(second.seen).toEqual(messages);
      expect(elsewhere.seen).toEqual([]);
    });

    test("a subscriber sees nothing from before, and nothing after it left", async () => {
      const channel = uniqueName();
      const stays = await listen(channel);
      other.publish(channel, "before");
      await settled(channel);
      const leaves = await listen(channel);
      other.publish(channel, "during");
      await settled(channel);
      leaves.leave();
      leaves.leave();
      other.publish(channel, "after");
      await settled(channel);
      expect(leaves.seen.filter((message) => !message.startsWith("mark"))).toEqual(["during"]);
      const all = stays.seen.filter((message) => !message.startsWith("mark"));
      expect(all).toEqual(["before", "during", "after"]);
      stays.leave();
      const again = await listen(channel);
      other.publish(channel, "again");
      await vi.waitFor(() => expect(again.seen).toEqual(["again"]));
    });

    test("a listener that throws keeps nothing from the others", async () => {
      const channel = uniqueName();
      await bus.subscribe(channel, () => {
        throw new Error("bad listener");
      });
      const { seen } = await listen(channel);
      other.publish(channel, "a");
      await vi.waitFor(() => expect(seen).toEqual(["a"]));
    });

    test("the newest messages are retained, in order, up to the limit", async () => {
      const channel = uniqueName();
      expect(await bus.retained(channel)).toEqual([]);
      const { seen } = await listen(channel);
      for (let n = 1; n <= 10; n += 1) other.publishRetained(channel, `m${n}`, { entriesMax: 4, ttlMs: 60_000 });
      other.publish(channel, "not kept");
      await vi.waitFor(() => expect(seen).toHaveLength(11));
      expect(await bus.retained(channel)).toEqual(["m7", "m8", "m9", "m10"]);
    });

    test("who subscribes first and then reads what is retained misses nothing", async () => {
      const channel = uniqueName();
      const total = 300;
      const publish = async (): Promise<void> => {
        for (let n = 0; n < total; n += 1) {
          other.publishRetained(channel, String(n), { entriesMax: 1000, ttlMs: 60_000 });
          if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const publishing = publish();
      const { seen } = await listen(channel);
      const retained = await bus.retained(channel);
      await publishing;
      await vi.waitFor(() => expect(seen.at(-1) ?? retained.at(-1)).toBe(String(total - 1)));
      expect(new Set([...retained, ...seen]).size).toBe(total);
    });

    test("what is retained is forgotten on request, and after its time", async () => {
      const channel = uniqueName();
      const { seen } = await listen(channel);
      other.publishRetained(channel, "a", KEEP);
      await vi.waitFor(() => expect(seen).toEqual(["a"]));
      bus.forget(channel);
      await vi.waitFor(async () => expect(await bus.retained(channel)).toEqual([]));
      other.publishRetained(channel, "b", { entriesMax: 10, ttlMs: 1 });
      await vi.waitFor(async () => expect(await bus.retained(channel)).toEqual([]));
    });

    test("a message above the limit is dropped, and the next one arrives", async () => {
      const channel = uniqueName();
      const { seen } = await listen(channel);
      other.publish(channel, "x".repeat(BUS_MESSAGE_BYTES_MAX + 1));
      other.publishRetained(channel, "x".repeat(BUS_MESSAGE_BYTES_MAX + 1), KEEP);
      other.publish(channel, "x".repeat(BUS_MESSAGE_BYTES_MAX));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      expect(await bus.retained(channel)).toEqual([]);
    });

    test("eight concurrent publishers: everything arrives, each one's messages in order", async () => {
      const channel = uniqueName();
      const { seen } = await listen(channel);
      await Promise.all(harness.peers.map((peer) => peer.ping()));
      for (let n = 0; n < 50; n += 1) {
        for (const [publisher, peer] of harness.peers.entries()) peer.publish(channel, `${publisher}:${n}`);
      }
      await vi.waitFor(() => expect(seen).toHaveLength(harness.peers.length * 50));
      for (const [publisher] of harness.peers.entries()) {
        const own = seen.filter((message) => message.startsWith(`${publisher}:`));
        expect(own).toEqual(Array.from({ length: 50 }, (_, n) => `${publisher}:${n}`));
      }
    });

    test("a bus that was reopened works", async () => {
      bus = await harness.reopen();
      other = bus;
      const channel = uniqueName();
      await bus.ping();
      const { seen } = await listen(channel);
      bus.publish(channel, "a");
      await vi.waitFor(() => expect(seen).toEqual(["a"]));
    });
  });
}
