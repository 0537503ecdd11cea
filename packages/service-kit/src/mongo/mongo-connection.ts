/**
 * A connection to MongoDB that may be away at any moment, from the start on: operations then fail as `unavailable`
 * within seconds, and work again by themselves when it is back.
 *
 * On a replica set a write is acknowledged by a majority's journals. A lone server journals it.
 */
import { MainspringError } from "@mainspring/kernel";
import { MongoClient } from "mongodb";
import type { Collection, Db, Document, WriteConcernSettings } from "mongodb";

import { fromMongo } from "./mongo-errors.ts";

/** How long to look for a server that answers. */
export const SERVER_SELECTION_TIMEOUT_MS = 2_000;
/** How long an operation may be silent. */
export const SOCKET_TIMEOUT_MS = 4_000;
const CONNECT_TIMEOUT_MS = 2_000;
const HEARTBEAT_MS = 1_000;
/**
 * Connections of one process. More do not make a busy server faster: they move the waiting from here, where it harms
 * nobody, into the server, where beats wait with the rest.
 */
export const CONNECTIONS_MAX = 24;
/** How long an operation waits for one of CONNECTIONS_MAX connections. */
const WAIT_QUEUE_TIMEOUT_MS = 4_000;
const WRITE_TIMEOUT_MS = 4_000;

export interface MongoOptions {
  /** `mongodb://…`; a database named in it is used when `database` is not given. */
  readonly url: string;
  readonly database?: string;
  /** Default CONNECTIONS_MAX. */
  readonly connectionsMax?: number;
}

export interface MongoDatabase {
  readonly db: Db;
  readonly isReplicaSet: boolean;
  collection<T extends Document>(name: string): Collection<T>;
}

export class MongoConnection {
  readonly #options: MongoOptions;
  #client: MongoClient;
  #database: Promise<MongoDatabase> | undefined;
  #closed = false;

  /** Throws for a URL that is none. Connects at first use. */
  constructor(options: MongoOptions) {
    this.#options = options;
    this.#client = newClient(options);
  }

  /** The database, once a server has said what it is. Rejects as `unavailable`. */
  database(): Promise<MongoDatabase> {
    if (this.#closed) return Promise.reject(new MainspringError("unavailable", "the connection is closed"));
    this.#database ??= this.#discover();
    return this.#database;
  }

  async ping(): Promise<void> {
    try {
      const { db } = await this.database();
      await db.command({ ping: 1 });
    } catch (thrown) {
      throw fromMongo(thrown);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client.close();
  }

  async #discover(): Promise<MongoDatabase> {
    try {
      const db = this.#client.db(this.#options.database);
      // `isMaster` is what every server knows; a mongos answers for replica sets.
      const { setName, msg } = await db.admin().command({ isMaster: 1 });
      const isReplicaSet = typeof setName === "string" || msg === "isdbgrid";
      const writeConcern: WriteConcernSettings = isReplicaSet
        ? { w: "majority", journal: true, wtimeoutMS: WRITE_TIMEOUT_MS }
        : { w: 1, journal: true };
      const collection = <T extends Document>(name: string): Collection<T> => db.collection<T>(name, { writeConcern });
      return { db, isReplicaSet, collection };
    } catch (thrown) {
      // A client that has never connected does not recover from that: the next try gets a new one.
      this.#database = undefined;
      const failed = this.#client;
      if (!this.#closed) this.#client = newClient(this.#options);
      await failed.close();
      throw fromMongo(thrown);
    }
  }
}

function newClient({ url, connectionsMax }: MongoOptions): MongoClient {
  return new MongoClient(url, {
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    maxPoolSize: connectionsMax ?? CONNECTIONS_MAX,
    waitQueueTimeoutMS: WAIT_QUEUE_TIMEOUT_MS,
    readPreference: "primary",
    ignoreUndefined: true,
  });
}

/** The collections of one store: made ready (indexes) at first use, once in the life of the process. */
export class MongoStore<Collections> {
  readonly #connection: MongoConnection;
  readonly #prepare: (database: MongoDatabase) => Promise<Collections>;
  #ready: Promise<Collections> | undefined;

  constructor(connection: MongoConnection, prepare: (database: MongoDatabase) => Promise<Collections>) {
    this.#connection = connection;
    this.#prepare = prepare;
  }

  /** Runs an operation; what it throws comes out as a MainspringError. */
  async use<T>(operation: (collections: Collections) => Promise<T>): Promise<T> {
    try {
      return await operation(await this.#collections());
    } catch (thrown) {
      throw fromMongo(thrown);
    }
  }

  async ping(): Promise<void> {
    await this.#connection.ping();
  }

  #collections(): Promise<Collections> {
    this.#ready ??= this.#connection
      .database()
      .then(this.#prepare)
      .catch((thrown: unknown) => {
        this.#ready = undefined;
        throw thrown;
      });
    return this.#ready;
  }
}
