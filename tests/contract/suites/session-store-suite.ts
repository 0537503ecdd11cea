/** What every session store keeps to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Commit, Mail } from "../../../services/engine-worker/src/domain/records.ts";
import { NEVER_MS } from "../../../services/engine-worker/src/ports/session-store.ts";
import type { Head, SessionStore } from "../../../services/engine-worker/src/ports/session-store.ts";
import { losingReplies, uniqueName } from "../../support/adapters.ts";
import type { Harness } from "../../support/adapters.ts";

export function commitOf(session: string, n: number, fields: Partial<Commit> = {}): Commit {
  const seq = n * 1000;
  return {
    session,
    n,
    commitId: `commit_${uniqueName()}`,
    epoch: 1,
    worker: "worker_a",
    events: [{ seq, type: "session.created", at: 1_700_000_000_000, origin: "user", data: { "$odd.key": "ünï ☃" } }],
    mailCursor: 0,
    at: 1_700_000_000_000,
    trace: "",
    ...fields,
  } as Commit;
}

export function mailOf(session: string, k: number, postId: string, fields: Partial<Mail> = {}): Mail {
  const body = { text: "hello", $set: [1, null] };
  return { session, k, postId, kind: "input", digest: "d1", body, at: 1_700_000_000_000, trace: "t", ...fields };
}

export function headOf(session: string, fields: Partial<Head> = {}): Head {
  return {
    session,
    tenant: "tenant_a",
    gen: 1,
    wakeAt: NEVER_MS,
    hold: null,
    epoch: 0,
    mailHint: 0,
    tipHint: 0,
    agent: "script",
    title: "A title",
    status: "idle",
    statusReason: "",
    lastRun: "",
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    ...fields,
  };
}

export function describeSessionStore(name: string, open: () => Promise<Harness<SessionStore>>): void {
  describe(`session store: ${name}`, () => {
    let harness: Harness<SessionStore>;
    let store: SessionStore;
    const session = (): string => `ses_${uniqueName()}`;

    beforeAll(async () => {
      harness = await open();
      store = harness.subject;
    });
    afterAll(async () => await harness.close());

    describe("log", () => {
      test("a commit is inserted once under its number, and reads back as it was", async () => {
        const id = session();
        const commit = commitOf(id, 1, { trace: "00-a-b-01" });
        expect(await store.insertCommit(commit)).toBe("inserted");
        expect(await store.insertCommit(commitOf(id, 1))).toBe("duplicate");
        expect(await store.readCommits(id, 1, 64)).toEqual([commit]);
      });

      test("commits are read in order, from where one asks, as far as there is no hole", async () => {
        const id = session();
        for (const n of [1, 2, 3, 5, 10, 11]) await store.insertCommit(commitOf(id, n));
        const numbers = async (from: number, count: number): Promise<number[]> =>
          (await store.readCommits(id, from, count)).map(({ n }) => n);
        expect(await numbers(1, 64)).toEqual([1, 2, 3]);
        expect(await numbers(2, 1)).toEqual([2]);
        expect(await numbers(4, 64)).toEqual([]);
        expect(await numbers(10, 64)).toEqual([10, 11]);
        expect(await store.readCommits(session(), 1, 64)).toEqual([]);
      });

      test("eight concurrent writers get a dense log, each of their commits once", async () => {
        const id = session();
        const rounds = 12;
        const write = async (peer: SessionStore, writer: number): Promise<void> => {
          for (let round = 0, n = 1; round < rounds; n += 1) {
            const fields = { commitId: `w${writer}-${round}`, worker: `w${writer}` };
            if ((await peer.insertCommit(commitOf(id, n, fields))) === "inserted") round += 1;
          }
        };
        await Promise.all(harness.peers.map(write));
        const total = harness.peers.length * rounds;
        const commits: Commit[] = [];
        while (commits.length < total) commits.push(...(await store.readCommits(id, commits.length + 1, 64)));
        expect(commits.map(({ n }) => n)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
        expect(new Set(commits.map(({ commitId }) => commitId)).size).toBe(total);
      });

      test("after a lost reply the commit is found to be one's own", async () => {
        const id = session();
        const commit = commitOf(id, 1);
        await expect(losingReplies(store).insertCommit(commit)).rejects.toMatchObject({ code: "unavailable" });
        expect(await store.insertCommit(commit)).toBe("duplicate");
        expect((await store.readCommits(id, 1, 1))[0]?.commitId).toBe(commit.commitId);
      });
    });

    describe("mailbox", () => {
      test("a post is unique by number and by post id, and a taken post id is reported first", async () => {
        const id = session();
        const first = mailOf(id, 1, "p1");
        expect(await store.insertMail(first)).toBe("inserted");
        expect(await store.insertMail(mailOf(id, 1, "p2"))).toBe("duplicate_number");
        expect(await store.insertMail(mailOf(id, 2, "p1"))).toBe("duplicate_post");
        expect(await store.insertMail(mailOf(id, 1, "p1"))).toBe("duplicate_post");
        expect(await store.insertMail(mailOf(session(), 1, "p1"))).toBe("inserted");
        expect(await store.findMailByPost(id, "p1")).toEqual(first);
        expect(await store.findMailByPost(id, "p2")).toBeNull();
        expect(await store.readMail(id, 1, 64)).toEqual([first]);
      });

      test("mail is read in order and without a hole", async () => {
        const id = session();
        for (const k of [1, 2, 4, 10]) await store.insertMail(mailOf(id, k, `p${k}`));
        expect((await store.readMail(id, 1, 64)).map(({ k }) => k)).toEqual([1, 2]);
        expect((await store.readMail(id, 10, 64)).map(({ k }) => k)).toEqual([10]);
      });

      test("emptied mail keeps its row, so its number and post id stay taken", async () => {
        const id = session();
        for (let k = 1; k <= 70; k += 1) await store.insertMail(mailOf(id, k, `p${k}`, k === 2 ? { body: null } : {}));
        await store.dropMailBodies(id, 1);
        await store.dropMailBodies(id, 68);
        const mail = [...(await store.readMail(id, 1, 64)), ...(await store.readMail(id, 65, 64))];
        expect(mail.map(({ k, body }) => (body === null ? 0 : k)).filter((k) => k > 0)).toEqual([69, 70]);
        expect(mail[0]).toEqual(mailOf(id, 1, "p1", { body: null }));
        expect(await store.insertMail(mailOf(id, 1, "other"))).toBe("duplicate_number");
        expect(await store.insertMail(mailOf(id, 71, "p1"))).toBe("duplicate_post");
      });

      test("eight concurrent posters, each post sent twice: dense numbers, every post once", async () => {
        const id = session();
        const posts = 4;
        const post = async (peer: SessionStore, postId: string): Promise<void> => {
          for (let k = 1; ; k += 1) if ((await peer.insertMail(mailOf(id, k, postId))) !== "duplicate_number") return;
        };
        await Promise.all(
          harness.peers.map(async (peer, poster) => {
            for (let number = 0; number < posts; number += 1) {
              const postId = `${poster}-${number}`;
              await Promise.all([post(peer, postId), post(store, postId)]);
            }
          }),
        );
        const mail = await store.readMail(id, 1, 64);
        expect(mail).toHaveLength(harness.peers.length * posts);
        expect(new Set(mail.map(({ postId }) => postId)).size).toBe(mail.length);
      });

      test("after a lost reply the repeated post is recognised at any number", async () => {
        const id = session();
        await expect(losingReplies(store).insertMail(mailOf(id, 1, "p1"))).rejects.toMatchObject({
          code: "unavailable",
        });
        expect(await store.insertMail(mailOf(id, 1, "p1"))).toBe("duplicate_post");
        expect(await store.insertMail(mailOf(id, 2, "p1"))).toBe("duplicate_post");
      });
    });

    describe("heads", () => {
      test("a head is inserted once and reads back as it was, held or not", async () => {
        const free = headOf(session());
        const held = headOf(session(), { hold: { worker: "w", epoch: 3, tries: 2 }, epoch: 3, wakeAt: 17 });
        for (const head of [free, held]) {
          expect(await store.insertHead(head)).toBe("inserted");
          expect(await store.insertHead({ ...head, title: "other" })).toBe("duplicate");
          expect(await store.readHead(head.session)).toEqual(head);
        }
        expect(await store.readHead(session())).toBeNull();
      });

      test("a bump raises gen, lowers the timer, raises the hints, and leaves the rest", async () => {
        const head = headOf(session(), { wakeAt: 500, mailHint: 4, updatedAt: 100 });
        await store.insertHead(head);
        await store.bumpHead(head.session, { wakeAt: 400, mailHint: 9, updatedAt: 200 });
        await store.bumpHead(head.session, { wakeAt: NEVER_MS, mailHint: 2, updatedAt: 150 });
        const expected = { ...head, gen: 3, wakeAt: 400, mailHint: 9, updatedAt: 200 };
        expect(await store.readHead(head.session)).toEqual(expected);
        expect(await store.bumpHead(session(), { wakeAt: 1, mailHint: 1, updatedAt: 1 })).toBeNull();
      });

      test("a compare-and-set takes effect at the expected gen only, and sets what it names", async () => {
        const head = headOf(session(), { gen: 5 });
        await store.insertHead(head);
        expect(await store.casHead(head.session, 4, { title: "no" })).toBe(false);
        const hold = { worker: "w1", epoch: 7, tries: 1 };
        expect(await store.casHead(head.session, 5, { hold, epoch: 7, wakeAt: 0, statusReason: "" })).toBe(true);
        expect(await store.readHead(head.session)).toEqual({ ...head, gen: 6, hold, epoch: 7, wakeAt: 0 });
        expect(await store.casHead(head.session, 5, { hold: null })).toBe(false);
        const patch = { hold: null, tipHint: 3, title: "", status: "running", statusReason: "r", lastRun: "run_1" };
        expect(await store.casHead(head.session, 6, { ...patch, updatedAt: 9, agent: "b", wakeAt: NEVER_MS })).toBe(
          true,
        );
        const after = { ...head, ...patch, gen: 7, epoch: 7, updatedAt: 9, agent: "b", wakeAt: NEVER_MS };
        expect(await store.readHead(head.session)).toEqual(after);
        expect(await store.casHead(session(), 1, { title: "x" })).toBe(false);
      });

      test("of eight concurrent compare-and-sets at one gen one wins; concurrent bumps all count", async () => {
        const head = headOf(session());
        await store.insertHead(head);
        const won = await Promise.all(
          harness.peers.map((peer, index) => peer.casHead(head.session, 1, { title: `winner ${index}` })),
        );
        expect(won.filter(Boolean)).toHaveLength(1);
        expect((await store.readHead(head.session))?.title).toBe(`winner ${won.indexOf(true)}`);
        const bumps = 10;
        await Promise.all(
          harness.peers.map(async (peer, index) => {
            for (let bump = 1; bump <= bumps; bump += 1) {
              await peer.bumpHead(head.session, { wakeAt: 1000 - index, mailHint: index * 10 + bump, updatedAt: bump });
            }
          }),
        );
        const last = harness.peers.length - 1;
        expect(await store.readHead(head.session)).toMatchObject({
          gen: 2 + harness.peers.length * bumps,
          wakeAt: 1000 - last,
          mailHint: last * 10 + bumps,
        });
      });

      test("after a lost reply the hold is found to be one's own", async () => {
        const head = headOf(session());
        await store.insertHead(head);
        const hold = { worker: "w_lost", epoch: 1, tries: 0 };
        await expect(losingReplies(store).casHead(head.session, 1, { hold, epoch: 1 })).rejects.toThrow();
        expect(await store.casHead(head.session, 1, { hold, epoch: 1 })).toBe(false);
        expect((await store.readHead(head.session))?.hold).toEqual(hold);
      });

      test("the scan for due heads finds free ones whose time has come, most overdue first", async () => {
        const at = (wakeAt: number, fields: Partial<Head> = {}): Head => headOf(session(), { wakeAt, ...fields });
        const due = [at(-300), at(-200), at(-100)];
        const others = [
          at(-250, { hold: { worker: "w", epoch: 1, tries: 0 } }),
          at(-250, { status: "quarantined" }),
          at(-250, { status: "deleted" }),
          at(-50),
        ];
        for (const head of [due[2], ...others, due[0], due[1]]) await store.insertHead(head as Head);
        const ids = due.map((head) => head.session);
        expect((await store.scanDueHeads(-100, 50)).map((head) => head.session)).toEqual(ids);
        expect(await store.scanDueHeads(-100, 2)).toHaveLength(2);
        for (const { session: id } of await store.scanDueHeads(0, 50)) await store.casHead(id, 1, { wakeAt: NEVER_MS });
        expect(await store.scanDueHeads(0, 50)).toEqual([]);
      });

      test("holders and what they hold can be found", async () => {
        const worker = `worker_${uniqueName()}`;
        const hold = { worker, epoch: 1, tries: 0 };
        const held = [headOf(session(), { hold }), headOf(session(), { hold })];
        for (const head of [...held, headOf(session())]) await store.insertHead(head);
        expect(await store.scanHoldingWorkers(100)).toContain(worker);
        expect(await store.scanHoldingWorkers(1)).toHaveLength(1);
        const found = (await store.scanHeadsHeldBy(worker, 10)).map((head) => head.session);
        expect(found.sort()).toEqual(held.map((head) => head.session).sort());
        expect(await store.scanHeadsHeldBy(worker, 1)).toHaveLength(1);
        for (const { session: id } of held) await store.casHead(id, 1, { hold: null });
        expect(await store.scanHoldingWorkers(100)).not.toContain(worker);
        expect(await store.scanHeadsHeldBy("", 10)).toEqual([]);
      });

      test("sessions of a tenant are listed newest first, in pages, without the deleted", async () => {
        const tenant = `tenant_${uniqueName()}`;
        const times = [10, 20, 20, 30, 40];
        const heads = times.map((createdAt, index) => headOf(`ses_${uniqueName()}_${index}`, { tenant, createdAt }));
        for (const head of heads) await store.insertHead(head);
        await store.insertHead(headOf(session(), { tenant, createdAt: 35, status: "deleted" }));
        const seen: Head[] = [];
        for (let before: Head | null = null; ; before = seen.at(-1) ?? null) {
          const page = await store.listHeads({ tenant, before, limit: 2 });
          seen.push(...page);
          if (page.length < 2) break;
        }
        const key = ({ createdAt, session: id }: Head): string => `${createdAt}/${id}`;
        expect(seen.map(key)).toEqual(heads.map(key).sort().toReversed());
      });
    });

    test("beats are replaced and deleted", async () => {
      const worker = `worker_${uniqueName()}`;
      await store.writeBeat({ worker, count: 1 });
      await store.writeBeat({ worker, count: 2 });
      expect(await store.readBeats()).toContainEqual({ worker, count: 2 });
      await store.deleteBeat(worker);
      await store.deleteBeat(worker);
      expect((await store.readBeats()).map((beat) => beat.worker)).not.toContain(worker);
    });

    test("a snapshot is replaced by a later one only, and each projector version has its own", async () => {
      const id = session();
      const put = (n: number, projectorVersion = 1): Promise<void> =>
        store.putSnapshot({ session: id, projectorVersion, n, state: `{"n":${n}}` });
      for (const n of [5, 9, 7, 9]) await put(n);
      await put(2, 2);
      expect(await store.getSnapshot(id, 1)).toEqual({ session: id, projectorVersion: 1, n: 9, state: '{"n":9}' });
      expect((await store.getSnapshot(id, 2))?.n).toBe(2);
      expect(await store.getSnapshot(id, 3)).toBeNull();
      await Promise.all(
        harness.peers.map((peer, index) =>
          peer.putSnapshot({ session: `${id}x`, projectorVersion: 1, n: index + 1, state: "{}" }),
        ),
      );
      expect((await store.getSnapshot(`${id}x`, 1))?.n).toBe(harness.peers.length);
    });

    test("partial output is replaced", async () => {
      const partial = { session: session(), run: "run_1", step: 1, attempt: 1, output: "[]" };
      expect(await store.getPartial(partial.session)).toBeNull();
      await store.putPartial(partial);
      await store.putPartial({ ...partial, attempt: 2, output: '["a"]' });
      expect(await store.getPartial(partial.session)).toEqual({ ...partial, attempt: 2, output: '["a"]' });
    });

    test("a store that is there answers a ping", async () => await store.ping());

    test("what was acknowledged is there after a restart", async () => {
      const id = session();
      const commit = commitOf(id, 1);
      const mail = mailOf(id, 1, "p1");
      const head = headOf(id, { hold: { worker: "w", epoch: 1, tries: 0 } });
      const snapshot = { session: id, projectorVersion: 1, n: 1, state: "{}" };
      const writes = [store.insertCommit(commit), store.insertMail(mail), store.insertHead(head)];
      await Promise.all([...writes, store.putSnapshot(snapshot)]);
      store = await harness.reopen();
      expect(await store.readCommits(id, 1, 64)).toEqual([commit]);
      expect(await store.insertCommit(commitOf(id, 1))).toBe("duplicate");
      expect(await store.readMail(id, 1, 64)).toEqual([mail]);
      expect(await store.readHead(id)).toEqual(head);
      expect(await store.getSnapshot(id, 1)).toEqual(snapshot);
    });
  });
}
