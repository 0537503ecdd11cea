import type { Collection, ConversationRow, SpaceRecords, TokenRow } from "../../ports/space-records.ts";
import type { Cells, SpaceDatabase } from "./space-database.ts";

const CONVERSATION = "collection, id, client_key, digest, user, status, body, created_at, updated_at";
const TOKEN = "hash, shown, name, scope, labels, usage, created_at, updated_at, expires_at";

const conversationOf = (cells: Cells): ConversationRow => ({
  collection: cells[0] as Collection,
  id: cells[1] as number,
  clientKey: cells[2] as string | null,
  digest: cells[3] as string | null,
  user: cells[4] as string,
  status: cells[5] as string,
  body: cells[6] as string,
  createdAt: cells[7] as number,
  updatedAt: cells[8] as number,
});

const tokenOf = (cells: Cells): TokenRow => ({
  hash: cells[0] as string,
  shown: cells[1] as string,
  name: cells[2] as string,
  scope: cells[3] as TokenRow["scope"],
  labels: cells[4] === null ? null : (JSON.parse(cells[4] as string) as string[]),
  usage: cells[5] as number,
  createdAt: cells[6] as number,
  updatedAt: cells[7] as number,
  expiresAt: cells[8] as number | null,
});

export class SqliteSpaceRecords implements SpaceRecords {
  readonly #db: SpaceDatabase;

  constructor(db: SpaceDatabase) {
    this.#db = db;
  }

  nextConversation(collection: Collection): number {
    return (this.#db.value("select coalesce(max(id), 0) + 1 from conversation where collection = ?", collection) ??
      1) as number;
  }

  putConversation(row: ConversationRow): void {
    this.#db.run(
      `insert into conversation (${CONVERSATION}) values (?,?,?,?,?,?,?,?,?) on conflict do update
       set status = excluded.status, body = excluded.body, updated_at = excluded.updated_at`,
      row.collection,
      row.id,
      row.clientKey,
      row.digest,
      row.user,
      row.status,
      row.body,
      row.createdAt,
      row.updatedAt,
    );
  }

  linkEvidence(collection: Collection, id: number, eids: readonly number[]): void {
    for (const eid of eids)
      this.#db.run("insert or replace into conversation_evidence values (?, ?, ?)", eid, collection, id);
  }

  conversation(collection: Collection, id: number): ConversationRow | undefined {
    const sql = `select ${CONVERSATION} from conversation where collection = ? and id = ?`;
    const cells = this.#db.get(sql, collection, id);
    return cells === undefined ? undefined : conversationOf(cells);
  }

  conversationByKey(collection: Collection, clientKey: string): ConversationRow | undefined {
    const sql = `select ${CONVERSATION} from conversation where collection = ? and client_key = ?`;
    const cells = this.#db.get(sql, collection, clientKey);
    return cells === undefined ? undefined : conversationOf(cells);
  }

  conversations(collection: Collection, before: number, limit: number): ConversationRow[] {
    const sql = `select ${CONVERSATION} from conversation where collection = ? and id < ? order by id desc limit ?`;
    return this.#db.all(sql, collection, before, limit).map(conversationOf);
  }

  countConversations(collection: Collection): number {
    return this.#db.value("select count(*) from conversation where collection = ?", collection) as number;
  }

  processedConversation(collection: Collection): number {
    const sql = `select coalesce(max(id), 0) from conversation
      where collection = ? and status in ('completed', 'failed', 'cancelled')`;
    return this.#db.value(sql, collection) as number;
  }

  tokens(): TokenRow[] {
    return this.#db.all(`select ${TOKEN} from space_token order by name`).map(tokenOf);
  }

  putToken(row: TokenRow): void {
    this.#db.run(
      `insert into space_token (${TOKEN}) values (?,?,?,?,?,?,?,?,?)`,
      row.hash,
      row.shown,
      row.name,
      row.scope,
      row.labels === null ? null : JSON.stringify(row.labels),
      row.usage,
      row.createdAt,
      row.updatedAt,
      row.expiresAt,
    );
  }

  deleteToken(hash: string): boolean {
    const known = this.#db.value("select 1 from space_token where hash = ?", hash) !== undefined;
    if (known) this.#db.run("delete from space_token where hash = ?", hash);
    return known;
  }

  countTokenUse(hash: string, times: number, at: number): void {
    this.#db.run("update space_token set usage = usage + ?, updated_at = ? where hash = ?", times, at, hash);
  }

  countElements(kind: 0 | 1): number {
    return this.#db.value("select count(*) from element where kind = ? and state = 0", kind) as number;
  }

  stats(): { readonly bytes: number; readonly elements: number; readonly transactions: number } {
    const bytes = (this.#db.value("pragma page_count") as number) * (this.#db.value("pragma page_size") as number);
    const elements = this.#db.value("select count(*) from element where state < 3") as number;
    return { bytes, elements, transactions: this.#db.value("select v from meta where k = 'seq'") as number };
  }
}
