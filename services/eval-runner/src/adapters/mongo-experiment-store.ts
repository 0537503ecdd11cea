/** Experiments on MongoDB: one single-document operation a method. An attempt's `_id` is `<cell>/<number>`. */
import { assert } from "@mainspring/kernel";
import { isDuplicateKey, MongoBeats, MongoStore } from "@mainspring/service-kit";
import type { MongoConnection, MongoDatabase } from "@mainspring/service-kit";
import type { Collection, Document, OptionalUnlessRequiredId } from "mongodb";

import type { Attempt, AttemptResult, Selection } from "../domain/attempt.ts";
import type { Definition, ExperimentHead } from "../domain/experiment.ts";
import { BRIEF_CHARS, CELLS_PER_READ_MAX } from "../ports/experiment-store.ts";
import type {
  AttemptKey,
  AttemptsOf,
  ExperimentChange,
  ExperimentState,
  ExperimentStore,
  ListPlace,
  RunnerBeat,
} from "../ports/experiment-store.ts";

interface ExperimentDocument extends ExperimentHead {
  readonly _id: string;
  readonly definition: string;
}

interface AttemptDocument extends Attempt {
  readonly _id: string;
  /** The first characters of the answer, for reads that leave the rest out. */
  readonly brief?: string;
}

interface CellDocument {
  readonly _id: string;
  readonly attempt: number;
  readonly outcome: Selection["outcome"];
}

interface Collections {
  readonly experiments: Collection<ExperimentDocument>;
  readonly attempts: Collection<AttemptDocument>;
  readonly cells: Collection<CellDocument>;
}

async function prepare(database: MongoDatabase): Promise<Collections> {
  const experiments = database.collection<ExperimentDocument>("experiments");
  await experiments.createIndex({ tenant: 1, createdAt: -1, id: -1 });
  await experiments.createIndex({ status: 1, createdAt: 1 });
  const attempts = database.collection<AttemptDocument>("eval_attempts");
  await attempts.createIndex({ cell: 1, number: 1 });
  await attempts.createIndex({ tenant: 1, startedAt: -1 });
  await attempts.createIndex({ experiment: 1, startedAt: -1 });
  // The results themselves are too large for an index; of a running attempt this is null as well.
  await attempts.createIndex({ "result.endedAt": 1 });
  return { experiments, attempts, cells: database.collection<CellDocument>("eval_cells") };
}

const HEAD = { projection: { _id: 0, definition: 0 } } as const;
const idOf = ({ cell, number }: AttemptKey): string => `${cell}/${number}`;

export class MongoExperimentStore implements ExperimentStore {
  readonly #store: MongoStore<Collections>;
  readonly #beats: MongoBeats;

  constructor(connection: MongoConnection, beats: MongoConnection) {
    this.#store = new MongoStore(connection, prepare);
    this.#beats = new MongoBeats(beats, "eval_beats");
  }

  async insert(head: ExperimentHead, definition: Definition): Promise<"inserted" | "exists"> {
    const document = { ...head, _id: head.id, definition: JSON.stringify(definition) };
    return (await this.#insert(({ experiments }) => experiments, document)) ? "inserted" : "exists";
  }

  head(id: string): Promise<ExperimentHead | null> {
    return this.#store.use(async ({ experiments }) => {
      return (await experiments.findOne({ _id: id }, HEAD)) as ExperimentHead | null;
    });
  }

  definition(id: string): Promise<Definition | null> {
    return this.#store.use(async ({ experiments }) => {
      const found = await experiments.findOne({ _id: id }, { projection: { definition: 1 } });
      return found === null ? null : (JSON.parse(found.definition) as Definition);
    });
  }

  list(tenant: string, limit: number, after: ListPlace | null): Promise<ExperimentHead[]> {
    return this.#store.use(async ({ experiments }) => {
      const behind =
        after === null
          ? {}
          : { $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, id: { $lt: after.id } }] };
      const found = experiments
        .find({ tenant, ...behind }, HEAD)
        .sort({ createdAt: -1, id: -1 })
        .limit(limit);
      return (await found.toArray()) as unknown as ExperimentHead[];
    });
  }

  active(ofTenant: number, limit: number): Promise<ExperimentHead[]> {
    return this.#store.use(async ({ experiments }) => {
      const active = experiments.find({ status: { $in: ["running", "cancelling"] } }, HEAD);
      // Lists of the first of every tenant, the second of every tenant, and so on.
      const places: ExperimentHead[][] = [];
      const counts = new Map<string, number>();
      for await (const each of active.sort({ createdAt: 1, id: 1 })) {
        const head = each as unknown as ExperimentHead;
        const place = counts.get(head.tenant) ?? 0;
        counts.set(head.tenant, place + 1);
        if (place < ofTenant) (places[place] ??= []).push(head);
      }
      return places.flat().slice(0, limit);
    });
  }

  change(id: string, { status, round }: ExperimentState, to: ExperimentChange): Promise<boolean> {
    return this.#store.use(async ({ experiments }) => {
      const $set = {
        status: to.status,
        round: to.round,
        concurrency: to.concurrency,
        endedAt: to.endedAt,
        counts: to.counts,
      };
      return (await experiments.updateOne({ _id: id, status, round }, { $set })).matchedCount === 1;
    });
  }

  async claim(attempt: Attempt): Promise<"inserted" | "duplicate"> {
    const document = { ...attempt, _id: idOf(attempt) };
    return (await this.#insert(({ attempts }) => attempts, document)) ? "inserted" : "duplicate";
  }

  attempt(key: AttemptKey): Promise<Attempt | null> {
    return this.#store.use(async ({ attempts }) => {
      const found = await attempts.findOne({ _id: idOf(key) });
      return found === null ? null : attemptOf(found);
    });
  }

  attemptsOf(cells: readonly string[], brief: boolean): Promise<Attempt[]> {
    assert(cells.length <= CELLS_PER_READ_MAX, "a keyed read names at most 64 cells");
    return this.#store.use(async ({ attempts }) => {
      const options = brief ? { projection: { "result.text": 0 } } : {};
      const found = await attempts
        .find({ cell: { $in: [...cells] } }, options)
        .sort({ cell: 1, number: 1 })
        .toArray();
      return found.map(attemptOf);
    });
  }

  running(limit: number): Promise<Attempt[]> {
    return this.#store.use(async ({ attempts }) => {
      const found = await attempts.find({ "result.endedAt": null, result: null }).limit(limit).toArray();
      return found.map(attemptOf);
    });
  }

  lastStart(of: AttemptsOf): Promise<number> {
    return this.#store.use(async ({ attempts }) => {
      const newest = { sort: { startedAt: -1 }, projection: { startedAt: 1 } } as const;
      return (await attempts.findOne(of, newest))?.startedAt ?? 0;
    });
  }

  adopt(key: AttemptKey, from: string, to: string): Promise<boolean> {
    return this.#store.use(async ({ attempts }) => {
      const running = { _id: idOf(key), runner: from, result: null };
      return (await attempts.updateOne(running, { $set: { runner: to } })).matchedCount === 1;
    });
  }

  settle(key: AttemptKey, result: AttemptResult): Promise<boolean> {
    return this.#store.use(async ({ attempts }) => {
      const $set = { result, brief: result.text.slice(0, BRIEF_CHARS) };
      return (await attempts.updateOne({ _id: idOf(key), result: null }, { $set })).matchedCount === 1;
    });
  }

  async select({ cell, attempt, outcome }: Selection): Promise<"selected" | "taken"> {
    const document = { _id: cell, attempt, outcome };
    return (await this.#insert(({ cells }) => cells, document)) ? "selected" : "taken";
  }

  selections(ids: readonly string[]): Promise<Selection[]> {
    assert(ids.length <= CELLS_PER_READ_MAX, "a keyed read names at most 64 cells");
    return this.#store.use(async ({ cells }) => {
      const found = await cells.find({ _id: { $in: [...ids] } }).toArray();
      return found.map(({ _id, attempt, outcome }) => ({ cell: _id, attempt, outcome }));
    });
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

  /** False: the key is taken. */
  #insert<T extends Document>(
    of: (collections: Collections) => Collection<T>,
    document: OptionalUnlessRequiredId<T>,
  ): Promise<boolean> {
    return this.#store.use(async (collections) => {
      try {
        await of(collections).insertOne(document);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    });
  }
}

function attemptOf({ _id, brief, result, ...attempt }: AttemptDocument): Attempt {
  if (result === null) return { ...attempt, result };
  // Where the text was left out of the read its beginning stands for it.
  return { ...attempt, result: { ...result, text: result.text ?? brief ?? "" } };
}
