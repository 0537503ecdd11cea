/** One transaction on the graph: what it created and touched, its handles, and the rules that hold for all statements. */
import { KipError, TRANSACTION_ELEMENTS_MAX, type Json, type JsonObject, type Statement } from "@mainspring/kip";
import type { Body, ElementRow } from "../../domain/element.ts";
import { STATE } from "../../domain/element.ts";
import { formatId, kindName } from "../../domain/element-id.ts";
import { indexedText } from "../../domain/search-text.ts";
import type { SchemaEnvironment } from "../../domain/schema-environment.ts";
import type { Digest } from "../../ports/digest.ts";
import type { GraphWriter } from "../../ports/space-graph.ts";
import { planeVersions } from "../render.ts";

export type Principal = "agent" | "maintenance" | "instrument" | "owner";
export interface Authority {
  readonly principal: Principal;
  /** The concept that the caller speaks as, where it is bound to one. */
  readonly actor: number | undefined;
}

type ChangeOp = "create" | "update" | "lifecycle" | "retention" | "merge" | "purge" | "payload_purge";
interface Touch {
  readonly before: number;
  row: ElementRow;
  readonly planes: Set<string>;
}

export class Transaction {
  readonly writer: GraphWriter;
  readonly environment: SchemaEnvironment;
  readonly spaceId: string;
  readonly digest: Digest;
  readonly now: number;
  readonly authority: Authority;
  readonly checkDeadline: () => void;
  readonly origin: string;
  readonly handles = new Map<string, number>();
  /** Concepts that this transaction will create, by type and key. */
  readonly keys = new Map<string, number>();
  readonly changes: JsonObject[] = [];
  /** Elements whose references and cardinalities are checked before commit. */
  readonly unchecked = new Set<number>();
  readonly #created = new Map<number, ElementRow>();
  /** Elements whose links changed. */
  readonly linked = new Set<number>();
  readonly timestamp: string;
  readonly #touched = new Map<number, Touch>();
  readonly #targets = new Set<number>();

  constructor(
    parts: Pick<
      Transaction,
      "writer" | "environment" | "spaceId" | "digest" | "now" | "authority" | "checkDeadline" | "origin"
    >,
  ) {
    this.writer = parts.writer;
    this.environment = parts.environment;
    this.spaceId = parts.spaceId;
    this.digest = parts.digest;
    this.now = parts.now;
    this.authority = parts.authority;
    this.checkDeadline = parts.checkDeadline;
    this.origin = parts.origin;
    this.timestamp = new Date(parts.now).toISOString();
  }

  #note(change: JsonObject): void {
    if (this.changes.length >= TRANSACTION_ELEMENTS_MAX) {
      throw new KipError("TransactionTooLarge", `a transaction changes at most ${TRANSACTION_ELEMENTS_MAX} elements`, {
        details: { limit: "transaction_elements", max: TRANSACTION_ELEMENTS_MAX },
      });
    }
    this.changes.push(change);
    if (this.changes.length % 256 === 0) this.checkDeadline();
  }

  /** Writes a new element of this transaction. */
  create<B extends Body>(
    eid: number,
    columns: Pick<ElementRow<B>, "type" | "body"> & Partial<Pick<ElementRow, "key" | "name" | "a" | "b" | "literal">>,
    more: JsonObject = {},
  ): void {
    const seq = this.writer.nextSeq;
    const row: ElementRow = {
      eid,
      state: STATE.active,
      version: 1,
      createdSeq: seq,
      updatedSeq: seq,
      createdAt: this.now,
      updatedAt: this.now,
      type: columns.type,
      key: columns.key ?? null,
      name: columns.name ?? null,
      a: columns.a ?? null,
      b: columns.b ?? null,
      literal: columns.literal ?? null,
      body: this.origin === "direct" ? columns.body : { ...columns.body, origin: this.origin },
    };
    this.writer.insert(row);
    this.#created.set(eid, row);
    this.unchecked.add(eid);
    this.#note({ op: "create", kind: kindName(eid), id: formatId(eid), new_version: 1, ...more });
  }

  isNew(eid: number): boolean {
    return this.#created.has(eid);
  }

  /** The element as it is now, for a statement that changes it. Each element is the target of one statement at most. */
  target(eid: number): ElementRow {
    const row = this.row(eid);
    if (this.#targets.has(eid)) throw new KipError("DuplicateMutationTarget", `${formatId(eid)} is changed twice`);
    this.#targets.add(eid);
    return row;
  }

  row(eid: number): ElementRow {
    const row = this.#touched.get(eid)?.row ?? this.#created.get(eid) ?? this.writer.element(eid);
    if (row === undefined || row.state === STATE.purged)
      throw new KipError("NotFoundOrNotVisible", `there is no element ${formatId(eid)}`);
    return row;
  }

  /** What references to an element are checked against. */
  head(eid: number): { readonly state: number; readonly type: number } | undefined {
    return this.#touched.get(eid)?.row ?? this.#created.get(eid) ?? this.writer.head(eid);
  }

  /** Writes a changed element; its version and those of the planes rise once in a transaction. */
  save(row: ElementRow, planes: readonly string[], op: ChangeOp, more: JsonObject = {}): void {
    const before = this.#touched.get(row.eid);
    const fresh = this.#created.has(row.eid);
    const touch: Touch = before ?? { before: row.version, row, planes: new Set() };
    const versions = planeVersions(this.row(row.eid));
    const raised: Record<string, number> = { ...row.body.planes };
    for (const plane of planes) {
      if (touch.planes.has(plane)) continue;
      touch.planes.add(plane);
      const next = fresh ? 1 : (versions[plane] ?? 0) + 1;
      if (next !== 1 || raised[plane] !== undefined) raised[plane] = next;
    }
    const version = fresh || before !== undefined ? row.version : row.version + 1;
    const body = Object.keys(raised).length === 0 ? row.body : { ...row.body, planes: raised };
    const saved: ElementRow = { ...row, body, version, updatedSeq: this.writer.nextSeq, updatedAt: this.now };
    this.writer.update(saved);
    touch.row = saved;
    this.#touched.set(row.eid, touch);
    this.unchecked.add(row.eid);
    this.#note({
      op,
      kind: kindName(row.eid),
      id: formatId(row.eid),
      old_version: touch.before,
      new_version: version,
      ...(planes.length === 0 ? {} : { planes: [...planes] }),
      ...more,
    });
  }

  /** Brings an archived element back. */
  restore(row: ElementRow): void {
    this.save({ ...row, state: STATE.active }, [], "lifecycle", { state: { from: "archived", to: "active" } });
  }

  /** Makes the element found by its words. */
  index(eid: number, fresh: boolean): void {
    this.writer.index(eid, indexedText(this.row(eid)), fresh);
  }

  noteErased(row: ElementRow, op: "purge" | "payload_purge"): void {
    this.#touched.set(row.eid, { before: row.version, row, planes: new Set() });
    this.unchecked.delete(row.eid);
    this.#note({ op, kind: kindName(row.eid), id: formatId(row.eid), old_version: row.version });
  }

  /** A further operation of a batch begins: handles and targets are its own. */
  beginOperation(): void {
    this.handles.clear();
    this.keys.clear();
    this.#targets.clear();
  }

  handleOf(name: string): number | undefined {
    return this.handles.get(name);
  }

  setHandle(name: string, eid: number): void {
    if (this.handles.has(name)) throw new KipError("DuplicateLocalHandle", `the handle ?${name} is given twice`);
    this.handles.set(name, eid);
  }

  requirePrincipal(allowed: readonly Principal[], what: string): void {
    if (!allowed.includes(this.authority.principal)) {
      throw new KipError("NotAuthorized", `${what} needs ${allowed.join(" or ")}`, {
        details: { principal: this.authority.principal },
      });
    }
  }

  /** What a client key is compared by: the bound statement without positions. */
  contentDigest(statement: Statement): string {
    return this.digest(JSON.stringify(statement, (key, value: Json) => (key === "at" ? undefined : value)));
  }
}
