/** The session store as single-document operations on maps. `bind` makes the port of it, one world operation a call. */
import type { Commit, Mail } from "../../services/engine-worker/src/domain/records.ts";
import type {
  Beat,
  Head,
  HeadBump,
  HeadPatch,
  ListHeads,
  PartialOutput,
  SessionStore,
  Snapshot,
} from "../../services/engine-worker/src/ports/session-store.ts";

/** Turns a synchronous operation into a promise; the simulation puts its scheduler here. */
export type Perform = <T>(name: string, apply: () => T) => Promise<T>;

export const atOnce: Perform = async (_name, apply) => apply();

export class MemorySessions {
  readonly commits = new Map<string, Commit>();
  readonly mail = new Map<string, Mail>();
  readonly posts = new Map<string, Mail>();
  readonly heads = new Map<string, Head>();
  readonly beats = new Map<string, Beat>();
  readonly snapshots = new Map<string, Snapshot>();
  readonly partials = new Map<string, PartialOutput>();

  insertCommit(commit: Commit): "inserted" | "duplicate" {
    const id = `${commit.session}/${commit.n}`;
    if (this.commits.has(id)) return "duplicate";
    this.commits.set(id, structuredClone(commit));
    return "inserted";
  }

  readCommits(session: string, fromN: number, count: number): Commit[] {
    return run(this.commits, (n) => `${session}/${n}`, fromN, count);
  }

  insertMail(mail: Mail): "inserted" | "duplicate_post" | "duplicate_number" {
    if (this.posts.has(`${mail.session}/${mail.postId}`)) return "duplicate_post";
    const id = `${mail.session}/m/${mail.k}`;
    if (this.mail.has(id)) return "duplicate_number";
    this.mail.set(id, structuredClone(mail));
    this.posts.set(`${mail.session}/${mail.postId}`, this.mail.get(id)!);
    return "inserted";
  }

  findMailByPost(session: string, postId: string): Mail | null {
    return structuredClone(this.posts.get(`${session}/${postId}`) ?? null);
  }

  readMail(session: string, fromK: number, count: number): Mail[] {
    return run(this.mail, (k) => `${session}/m/${k}`, fromK, count);
  }

  dropMailBodies(session: string, throughK: number): void {
    for (let k = 1; k <= throughK; k += 1) {
      const mail = this.mail.get(`${session}/m/${k}`);
      if (mail === undefined) continue;
      const emptied = { ...mail, body: null };
      this.mail.set(`${session}/m/${k}`, emptied);
      this.posts.set(`${session}/${mail.postId}`, emptied);
    }
  }

  insertHead(head: Head): "inserted" | "duplicate" {
    if (this.heads.has(head.session)) return "duplicate";
    this.heads.set(head.session, structuredClone(head));
    return "inserted";
  }

  readHead(session: string): Head | null {
    return structuredClone(this.heads.get(session) ?? null);
  }

  bumpHead(session: string, bump: HeadBump): Head | null {
    const head = this.heads.get(session);
    if (head === undefined) return null;
    this.heads.set(session, {
      ...head,
      gen: head.gen + 1,
      wakeAt: Math.min(head.wakeAt, bump.wakeAt),
      mailHint: Math.max(head.mailHint, bump.mailHint),
      updatedAt: Math.max(head.updatedAt, bump.updatedAt),
    });
    return this.readHead(session);
  }

  casHead(session: string, expectedGen: number, patch: HeadPatch): boolean {
    const head = this.heads.get(session);
    if (head === undefined || head.gen !== expectedGen) return false;
    this.heads.set(session, structuredClone({ ...head, ...patch, gen: expectedGen + 1 }));
    return true;
  }

  scanDueHeads(now: number, limit: number): Head[] {
    const due = [...this.heads.values()].filter(
      (head) => head.hold === null && head.wakeAt <= now && head.status !== "quarantined" && head.status !== "deleted",
    );
    return structuredClone(due.sort((a, b) => a.wakeAt - b.wakeAt).slice(0, limit));
  }

  scanHeadsHeldBy(worker: string, limit: number): Head[] {
    return structuredClone([...this.heads.values()].filter((head) => head.hold?.worker === worker).slice(0, limit));
  }

  scanHoldingWorkers(limit: number): string[] {
    const workers = [...this.heads.values()].flatMap((head) => (head.hold === null ? [] : [head.hold.worker]));
    return [...new Set(workers)].slice(0, limit);
  }

  listHeads({ tenant, before, limit }: ListHeads): Head[] {
    const key = (head: { createdAt: number; session: string }): string =>
      `${String(head.createdAt).padStart(16, "0")}/${head.session}`;
    return structuredClone(
      [...this.heads.values()]
        .filter((head) => head.tenant === tenant && head.status !== "deleted")
        .filter((head) => before === null || key(head) < key(before))
        .sort((a, b) => (key(a) < key(b) ? 1 : -1))
        .slice(0, limit),
    );
  }

  putSnapshot(snapshot: Snapshot): void {
    const id = `${snapshot.session}/${snapshot.projectorVersion}`;
    if ((this.snapshots.get(id)?.n ?? 0) < snapshot.n) this.snapshots.set(id, snapshot);
  }
}

function run<T>(from: ReadonlyMap<string, T>, id: (number: number) => string, first: number, count: number): T[] {
  const found: T[] = [];
  for (let number = first; found.length < count; number += 1) {
    const value = from.get(id(number));
    if (value === undefined) break;
    found.push(structuredClone(value));
  }
  return found;
}

/** The port over one shared memory, each call one operation of `perform`. */
export function bindSessions(memory: MemorySessions, perform: Perform): SessionStore {
  return {
    insertCommit: (commit) => perform("insertCommit", () => memory.insertCommit(commit)),
    readCommits: (session, fromN, count) => perform("readCommits", () => memory.readCommits(session, fromN, count)),
    insertMail: (mail) => perform("insertMail", () => memory.insertMail(mail)),
    findMailByPost: (session, postId) => perform("findMailByPost", () => memory.findMailByPost(session, postId)),
    readMail: (session, fromK, count) => perform("readMail", () => memory.readMail(session, fromK, count)),
    dropMailBodies: (session, k) => perform("dropMailBodies", () => memory.dropMailBodies(session, k)),
    insertHead: (head) => perform("insertHead", () => memory.insertHead(head)),
    readHead: (session) => perform("readHead", () => memory.readHead(session)),
    bumpHead: (session, bump) => perform("bumpHead", () => memory.bumpHead(session, bump)),
    casHead: (session, gen, patch) => perform("casHead", () => memory.casHead(session, gen, patch)),
    scanDueHeads: (now, limit) => perform("scanDueHeads", () => memory.scanDueHeads(now, limit)),
    scanHeadsHeldBy: (worker, limit) => perform("scanHeadsHeldBy", () => memory.scanHeadsHeldBy(worker, limit)),
    scanHoldingWorkers: (limit) => perform("scanHoldingWorkers", () => memory.scanHoldingWorkers(limit)),
    listHeads: (list) => perform("listHeads", () => memory.listHeads(list)),
    writeBeat: (beat) => perform("writeBeat", () => void memory.beats.set(beat.worker, beat)),
    readBeats: () => perform("readBeats", () => [...memory.beats.values()]),
    deleteBeat: (worker) => perform("deleteBeat", () => void memory.beats.delete(worker)),
    putSnapshot: (snapshot) => perform("putSnapshot", () => memory.putSnapshot(snapshot)),
    getSnapshot: (session, version) =>
      perform("getSnapshot", () => memory.snapshots.get(`${session}/${version}`) ?? null),
    putPartial: (partial) => perform("putPartial", () => void memory.partials.set(partial.session, partial)),
    getPartial: (session) => perform("getPartial", () => memory.partials.get(session) ?? null),
    ping: () => perform("ping", () => undefined),
    close: async () => undefined,
  };
}
