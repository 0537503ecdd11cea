/** The driver's errors in our words. */
import { MainspringError } from "@mainspring/kernel";
import type { Retry } from "@mainspring/kernel";
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoParseError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from "mongodb";

const DUPLICATE_KEY = 11000;
/**
 * Answers of a server that is stepping down, shutting down, recovering, or whose write did not reach a majority in
 * time (mongodb/specifications, "not primary" and "node is recovering", and WriteConcernFailed).
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  6, 7, 64, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The one way from a driver's error to ours. What is not known to have failed before it began has an unknown outcome. */
export function fromMongo(thrown: unknown): MainspringError {
  if (thrown instanceof MainspringError) return thrown;
  if (isDuplicateKey(thrown)) {
    return new MainspringError("already_exists", "a record with this key exists", { cause: thrown });
  }
  const retry = retryOf(thrown);
  if (retry !== null) return new MainspringError("unavailable", "MongoDB cannot be reached", { cause: thrown, retry });
  return new MainspringError("internal", "MongoDB refused an operation", { cause: thrown });
}

/** Null: trying again does not help. */
function retryOf(thrown: unknown): Retry | null {
  const name = thrown instanceof Error ? thrown.name : "";
  const notBegun =
    thrown instanceof MongoServerSelectionError ||
    thrown instanceof MongoNotConnectedError ||
    thrown instanceof MongoServerClosedError ||
    thrown instanceof MongoTopologyClosedError ||
    thrown instanceof MongoClientClosedError ||
    name === "MongoWaitQueueTimeoutError" ||
    name === "MongoPoolClosedError";
  if (notBegun) return "safe";
  if (thrown instanceof MongoParseError) return null;
  const lost =
    thrown instanceof MongoNetworkError ||
    thrown instanceof MongoStalePrimaryError ||
    thrown instanceof MongoOperationTimeoutError ||
    thrown instanceof MongoWriteConcernError ||
    name === "MongoPoolClearedError";
  if (lost) return "unknownOutcome";
  const passing = thrown instanceof MongoServerError && PASSING_CODES.has(Number(thrown.code));
  return passing ? "unknownOutcome" : null;
}
