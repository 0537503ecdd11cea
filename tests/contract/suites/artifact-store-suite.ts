/** What every artifact store keeps to. */
import { createHash, randomBytes } from "node:crypto";

import type { ArtifactStore } from "@mainspring/service-kit";
import { ARTIFACT_BYTES_MAX } from "@mainspring/service-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { losingReplies } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

const MIB = 1024 * 1024;

export interface ArtifactFeatures {
  /** Bytes outlive the process. */
  readonly durable: boolean;
  /** Damages what is stored for that digest, where the store lies outside of the process. */
  readonly damage?: (digest: string) => Promise<void>;
}

export function describeArtifactStore(
  name: string,
  features: ArtifactFeatures,
  open: () => Promise<Harness<ArtifactStore>>,
): void {
  describe(`artifacts: ${name}`, () => {
    let harness: Harness<ArtifactStore>;
    let store: ArtifactStore;

    beforeAll(async () => {
      harness = await open();
      store = harness.subject;
    });
    afterAll(async () => await harness.close());

    test.each([0, 1, 4096, MIB - 1, MIB, MIB + 1, 3 * MIB + 17, 12 * MIB])(
      "%i bytes are kept under their SHA-256",
      async (size) => {
        const bytes = randomBytes(size);
        const digest = await store.put("tenant", bytes);
        expect(digest).toBe(createHash("sha256").update(bytes).digest("hex"));
        expect(Buffer.from((await store.get("tenant", digest)) ?? []).equals(bytes)).toBe(true);
      },
    );

    test("the same bytes may be stored again, by eight writers at once, and after a lost reply", async () => {
      const bytes = randomBytes(2 * MIB);
      const digests = await Promise.all(harness.peers.map((peer) => peer.put("tenant", bytes)));
      await expect(losingReplies(store).put("tenant", bytes)).rejects.toMatchObject({ code: "unavailable" });
      expect(new Set([...digests, await store.put("tenant", bytes)]).size).toBe(1);
      expect(await store.get("tenant", digests[0] ?? "")).toHaveLength(bytes.length);
    });

    test("a tenant sees its own artifacts only, whatever it is called", async () => {
      const bytes = randomBytes(100);
      const digest = await store.put("../other", bytes);
      for (const tenant of ["", "other", "..", "../other/", "../OTHER"]) {
        expect(await store.get(tenant, digest)).toBeNull();
      }
      expect(await store.get("../other", digest)).toHaveLength(100);
    });

    test("what is not there, or cannot be, is null", async () => {
      for (const digest of ["0".repeat(64), "", "..", "../../etc/passwd", "A".repeat(64), "0".repeat(63)]) {
        expect(await store.get("tenant", digest)).toBeNull();
      }
    });

    test("an artifact above the limit is refused", async () => {
      const bytes = new Uint8Array(ARTIFACT_BYTES_MAX + 1);
      await expect(store.put("tenant", bytes)).rejects.toMatchObject({ code: "invalid_argument" });
    });

    test("what is stored cannot be changed through what was given or got", async () => {
      const bytes = randomBytes(64);
      const digest = await store.put("tenant", bytes);
      const copy = Buffer.from(bytes);
      bytes.fill(0);
      (await store.get("tenant", digest))?.fill(1);
      expect(Buffer.from((await store.get("tenant", digest)) ?? []).equals(copy)).toBe(true);
    });

    if (features.damage !== undefined) {
      test("damaged bytes are data loss, never an answer", async () => {
        const digest = await store.put("tenant", randomBytes(2 * MIB));
        await features.damage?.(digest);
        await expect(store.get("tenant", digest)).rejects.toMatchObject({ code: "data_loss" });
      });
    }

    test("a store that is there answers a ping", async () => await store.ping());

    if (features.durable) {
      test("what was acknowledged is there after a restart", async () => {
        const bytes = randomBytes(MIB + 5);
        const digest = await store.put("tenant", bytes);
        store = await harness.reopen();
        expect(Buffer.from((await store.get("tenant", digest)) ?? []).equals(bytes)).toBe(true);
      });
    }
  });
}
