import { describe, expect, it } from "vitest";
import { checkRequest } from "./envelope.ts";
import { KIP_CODES } from "./error-codes.ts";
import { KipError } from "./kip-error.ts";

const code = (value: unknown): string => {
  try {
    checkRequest(value);
    return "accepted";
  } catch (error) {
    return error instanceof KipError ? error.code : String(error);
  }
};
const operation = { command: "DESCRIBE PRIMER" };
const full = { kip: "2.0", operations: [operation] };

describe("request envelope", () => {
  it.each([
    ["a bare command", "DESCRIBE PRIMER"],
    ["one operation", full],
    ["several with a mode", { ...full, operations: [operation, operation], execution: { mode: "sequence" } }],
    ["ingested evidence", { ...full, ingest: { evidence: [{ key: "m", evidence_class: "message", payload: "x" }] } }],
    ["an extension that is not critical", { ...full, extensions: { x: { critical: false } } }],
  ])("accepts %s", (_what, value) => expect(code(value)).toBe("accepted"));

  it.each([
    ["an unknown member", { ...full, operation: [] }, "InvalidRequestEnvelope"],
    [
      "an unknown member of an operation",
      { ...full, operations: [{ ...operation, lang: "KQL" }] },
      "InvalidRequestEnvelope",
    ],
    ["a member named like one of Object's", { ...full, toString: 1 }, "InvalidRequestEnvelope"],
    ["no operations", { kip: "2.0", operations: [] }, "InvalidRequestEnvelope"],
    ["neither command nor tree", { kip: "2.0", operations: [{}] }, "InvalidRequestEnvelope"],
    [
      "both payloads",
      { ...full, ingest: { evidence: [{ key: "m", evidence_class: "message", payload: 1, payload_artifact: 2 }] } },
      "InvalidRequestEnvelope",
    ],
    ["several operations without a mode", { ...full, operations: [operation, operation] }, "InvalidRequestEnvelope"],
    ["another version", { ...full, kip: "1.0" }, "UnsupportedProtocolVersion"],
    ["a syntax tree", { kip: "2.0", operations: [{ ast: {} }] }, "UnsupportedCapability"],
    ["a critical extension", { ...full, extensions: { x: { critical: true } } }, "UnsupportedCapability"],
    ["another isolation", { ...full, execution: { isolation: "snapshot" } }, "UnsupportedIsolation"],
    [
      "too many operations",
      { ...full, operations: Array(257).fill(operation), execution: { mode: "sequence" } },
      "ResourceExhausted",
    ],
    ["a number", 3, "InvalidRequestEnvelope"],
  ])("refuses %s", (_what, value, expected) => expect(code(value)).toBe(expected));
});

describe("error codes", () => {
  it("has the retry class that the protocol fixes for each code", () => {
    const classes = Map.groupBy(Object.entries(KIP_CODES), ([, entry]) => entry.retry);
    const of = (name: string): string[] =>
      [...classes]
        .filter(([key]) => key === name)
        .flatMap(([, rows]) => rows.map(([found]) => found))
        .sort();
    expect(of("safe_same_request")).toEqual([
      "ExecutionTimeout",
      "InternalError",
      "RateLimited",
      "SearchIndexUnavailable",
      "SerializationConflict",
    ]);
    expect(of("outcome_lookup_required")).toEqual(["OutcomeUnknown", "TransactionUnknown"]);
    expect(of("requires_new_snapshot")).toEqual(["CursorExpired", "HistoricalSnapshotUnavailable"]);
    expect(of("requires_reacquire_artifact")).toEqual(["ArtifactUnavailable", "BlobUnavailable", "DigestMismatch"]);
    expect(of("requires_refresh")).toHaveLength(8);
    expect(of("requires_authority")).toHaveLength(9);
    expect(of("non_retryable")).toHaveLength(10);
    expect(Object.values(KIP_CODES).every((entry) => entry.hint.endsWith("."))).toBe(true);
  });

  it("an error keeps its code, hint and details through its object form", () => {
    const error = new KipError("VersionConflict", "moved on", { details: { id: "C-1" } });
    expect(KipError.fromObject(error.toObject()).toObject()).toEqual(error.toObject());
    expect(KipError.from(new TypeError("secret")).toObject().message).not.toContain("secret");
  });
});
