/** The effect ledger on MongoDB: one single-document operation a method. `_id`: `<session>/<call>/<attempt>`. */
import { assert } from "@mainspring/kernel";
import { isDuplicateKey, MongoBeats, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection, MongoDatabase } from "@mainspring/service-kit";
import type { Collection, Filter, UpdateFilter } from "mongodb";

import { KEYS_PER_READ_MAX } from "../ports/effect-ledger.ts";
import type { CallKey, CallOutcome, EffectLedger, LedgerRow, RunnerBeat } from "../ports/effect-ledger.ts";

interface EffectDocument extends LedgerRow {
  readonly _id: string;
}

type Effects = Collection<EffectDocument>;

async function prepare(database: MongoDatabase): Promise<Effects> {
  const effects = database.collection<EffectDocument>("effects");
  await effects.createIndex({ state: 1, settledAt: 1 });
  await effects.createIndex({ stopRequested: 1, runner: 1 });
  return effects;
}

// A session's id has no slash and an attempt is a number, so the parts can be told apart whatever the call is.
const idOf = ({ session, call, attempt }: CallKey): string => `${session}/${call}/${attempt}`;

export class MongoEffectLedger implements EffectLedger {
  readonly #store: MongoStore<Effects>;
  readonly #beats: MongoBeats;

  constructor(connection: MongoConnection, beats: MongoConnection) {
    this.#store = new MongoStore(connection, prepare);
    this.#beats = new MongoBeats(beats, "runner_beats");
  }

  insert(row: LedgerRow): Promise<"inserted" | "duplicate"> {
    return this.#store.use(async (effects) => {
      try {
        await effects.insertOne({ ...row, _id: idOf(row) });
        return "inserted";
      } catch (error) {
        if (isDuplicateKey(error)) return "duplicate";
        throw error;
      }
    });
  }

  get(key: CallKey): Promise<LedgerRow | null> {
    return this.#store.use(async (effects) => {
      const document = await effects.findOne({ _id: idOf(key) });
      return document === null ? null : fromDocument(document);
    });
  }

  getMany(keys: readonly CallKey[]): Promise<LedgerRow[]> {
    assert(keys.length <= KEYS_PER_READ_MAX, "a keyed read names at most 64 keys");
    return this.#find({ _id: { $in: keys.map(idOf) } }, KEYS_PER_READ_MAX);
  }

  settle(key: CallKey, runner: string, outcome: CallOutcome, settledAt: number): Promise<boolean> {
    const from = { _id: idOf(key), state: "started", runner } as const;
    return this.#change(from, { $set: { state: "settled", outcome, settledAt } });
  }

  markLost(key: CallKey): Promise<boolean> {
    return this.#change({ _id: idOf(key), state: "started" }, { $set: { state: "lost" } });
  }

  requestStop(key: CallKey): Promise<boolean> {
    return this.#change({ _id: idOf(key), state: "started" }, { $set: { stopRequested: true } });
  }

  storeLate(key: CallKey, outcome: CallOutcome): Promise<boolean> {
    const from = { _id: idOf(key), state: "lost", lateOutcome: null } as const;
    return this.#change(from, { $set: { lateOutcome: outcome } });
  }

  markDelivered(keys: readonly CallKey[]): Promise<void> {
    return this.#store.use(async (effects) => {
      const settled: Filter<EffectDocument> = { _id: { $in: keys.map(idOf) }, state: "settled" };
      await effects.updateMany(settled, { $set: { state: "delivered", "outcome.output": "" } });
    });
  }

  scanUndelivered(runner: string | null, settledBefore: number, limit: number): Promise<LedgerRow[]> {
    const settled: Filter<EffectDocument> = { state: "settled", settledAt: { $lt: settledBefore } };
    return this.#find(runner === null ? settled : { ...settled, runner }, limit);
  }

  scanStopRequested(runner: string, limit: number): Promise<LedgerRow[]> {
    return this.#find({ stopRequested: true, runner, state: "started" }, limit);
  }

  writeBeat({ runner, count }: RunnerBeat): Promise<void> {
    return this.#beats.write({ id: runner, count });
  }

  async readBeats(): Promise<RunnerBeat[]> {
    return (await this.#beats.read()).map(({ id, count }) => ({ runner: id, count }));
  }

  deleteBeat(runner: string): Promise<void> {
    return this.#beats.delete(runner);
  }

  ping(): Promise<void> {
    return this.#store.ping();
  }

  async close(): Promise<void> {
    // The connection may serve other stores too; who opened it closes it.
  }

  #find(filter: Filter<EffectDocument>, limit: number): Promise<LedgerRow[]> {
    return this.#store.use(async (effects) => {
      const found = await effects.find(filter).sort({ settledAt: 1 }).limit(limit).toArray();
      return found.map(fromDocument);
    });
  }

  #change(from: Filter<EffectDocument>, change: UpdateFilter<EffectDocument>): Promise<boolean> {
    return this.#store.use(async (effects) => (await effects.updateOne(from, change)).matchedCount === 1);
  }
}

function fromDocument({ _id, ...row }: EffectDocument): LedgerRow {
  return row;
}
