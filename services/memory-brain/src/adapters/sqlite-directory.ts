/** The directory on SQLite: one statement a method, which the store thread makes durable. */
import type { SqliteThread } from "@mainspring/service-kit";

import type { Directory, Hold, SpaceChange, SpaceRow, WorkerBeat } from "../ports/directory.ts";

/** Each step is one statement; steps are only ever added. */
const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS spaces (
     id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
     description TEXT NOT NULL, public INTEGER NOT NULL, tier INTEGER NOT NULL, tier_updated_at INTEGER NOT NULL,
     shard INTEGER NOT NULL, created_at INTEGER NOT NULL, loading INTEGER NOT NULL, epoch INTEGER NOT NULL,
     worker TEXT, claim TEXT, creation TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS spaces_of_tenant ON spaces (tenant, id)`,
  `CREATE INDEX IF NOT EXISTS spaces_held ON spaces (worker, id) WHERE worker IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS space_workers (
     worker TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL, address TEXT NOT NULL, shard INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
];

const INSERT = "INSERT INTO spaces VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING";
const GET = "SELECT * FROM spaces WHERE id = ?";
const LIST = "SELECT * FROM spaces WHERE tenant = ? AND id > ? AND loading = 0 ORDER BY id LIMIT ?";
const UPDATE = `UPDATE spaces SET name = coalesce(?2, name), description = coalesce(?3, description),
  public = coalesce(?4, public), tier = coalesce(?5, tier), tier_updated_at = coalesce(?6, tier_updated_at),
  loading = coalesce(?7, loading) WHERE id = ?1 AND creation = coalesce(?8, creation) RETURNING *`;
const REMOVE = "DELETE FROM spaces WHERE id = ? AND creation = ?";
const COUNT = "SELECT shard, count(*) AS spaces FROM spaces GROUP BY shard";
const TAKE = `UPDATE spaces SET worker = ?4, epoch = ?5, claim = ?6
  WHERE id = ?1 AND ((worker IS ?2 AND claim IS ?3) OR claim = ?6)`;
const RELEASE = `UPDATE spaces SET worker = NULL, claim = NULL, shard = coalesce(?3, shard)
  WHERE id = ?1 AND claim = ?2`;
const HELD = "SELECT * FROM spaces WHERE worker = ? ORDER BY id LIMIT ?";
const BEAT = `INSERT INTO space_workers VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
  SET count = excluded.count, address = excluded.address, shard = excluded.shard`;
const BEATS = "SELECT * FROM space_workers";
const DELETE_BEAT = "DELETE FROM space_workers WHERE worker = ?";

interface Columns {
  readonly id: string;
  readonly tenant: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly public: number;
  readonly tier: number;
  readonly tier_updated_at: number;
  readonly shard: number;
  readonly created_at: number;
  readonly loading: number;
  readonly epoch: number;
  readonly worker: string | null;
  readonly claim: string | null;
  readonly creation: string;
}

export async function openSqliteDirectory(thread: SqliteThread): Promise<Directory> {
  await thread.migrate("spaces", SCHEMA);
  return new SqliteDirectory(thread);
}

class SqliteDirectory implements Directory {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async create(row: SpaceRow): Promise<"created" | "exists"> {
    const about = [row.id, row.tenant, row.owner, row.name, row.description, row.public ? 1 : 0] as const;
    const placed = [row.tier, row.tierUpdatedAt, row.shard, row.createdAt, row.loading ? 1 : 0, row.epoch] as const;
    const { worker, claim } = row.hold ?? { worker: null, claim: null };
    if ((await this.#thread.run(INSERT, ...about, ...placed, worker, claim, row.creation)) === 1) return "created";
    return (await this.get(row.id))?.creation === row.creation ? "created" : "exists";
  }

  async get(id: string): Promise<SpaceRow | null> {
    const found = await this.#thread.get<Columns>(GET, id);
    return found === undefined ? null : rowOf(found);
  }

  async list(tenant: string, after: string, limit: number): Promise<SpaceRow[]> {
    return (await this.#thread.all<Columns>(LIST, tenant, after, limit)).map(rowOf);
  }

  async update(id: string, change: SpaceChange, creation?: string): Promise<SpaceRow | null> {
    const { name, description, public: open, tier, tierUpdatedAt, loading } = change;
    const flag = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value));
    const texts = [name ?? null, description ?? null, flag(open)] as const;
    const values = [id, ...texts, tier ?? null, tierUpdatedAt ?? null, flag(loading), creation ?? null] as const;
    const found = await this.#thread.get<Columns>(UPDATE, ...values);
    return found === undefined ? null : rowOf(found);
  }

  async remove({ id, creation }: Pick<SpaceRow, "id" | "creation">): Promise<void> {
    await this.#thread.run(REMOVE, id, creation);
  }

  async countByShard(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#thread.all<{ shard: number; spaces: number }>(COUNT);
    return new Map(rows.map(({ shard, spaces }) => [shard, spaces]));
  }

  async take(id: string, expected: Hold | null, next: Hold): Promise<boolean> {
    const from = [expected?.worker ?? null, expected?.claim ?? null] as const;
    return (await this.#thread.run(TAKE, id, ...from, next.worker, next.epoch, next.claim)) === 1;
  }

  async release(id: string, hold: Hold, shard?: number): Promise<boolean> {
    return (await this.#thread.run(RELEASE, id, hold.claim, shard ?? null)) === 1;
  }

  async heldBy(worker: string, limit: number): Promise<SpaceRow[]> {
    return (await this.#thread.all<Columns>(HELD, worker, limit)).map(rowOf);
  }

  async writeBeat({ worker, count, address, shard }: WorkerBeat): Promise<void> {
    await this.#thread.run(BEAT, worker, count, address, shard);
  }

  async readBeats(): Promise<WorkerBeat[]> {
    return await this.#thread.all<WorkerBeat>(BEATS);
  }

  async deleteBeat(worker: string): Promise<void> {
    await this.#thread.run(DELETE_BEAT, worker);
  }
}

function rowOf(columns: Columns): SpaceRow {
  const { worker, claim, epoch } = columns;
  return {
    id: columns.id,
    tenant: columns.tenant,
    owner: columns.owner,
    name: columns.name,
    description: columns.description,
    public: columns.public === 1,
    tier: columns.tier,
    tierUpdatedAt: columns.tier_updated_at,
    shard: columns.shard,
    createdAt: columns.created_at,
    loading: columns.loading === 1,
    epoch,
    hold: worker === null || claim === null ? null : { worker, epoch, claim },
    creation: columns.creation,
  };
}
