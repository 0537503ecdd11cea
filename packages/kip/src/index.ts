export * from "./limits.ts";
export { KIP_CODES, type KipCategory, type KipCode, type KipCodeRow, type KipRetryClass } from "./error-codes.ts";
export { KipError, type KipErrorObject, type KipErrorOptions } from "./kip-error.ts";
export {
  canonicalJson,
  isObject,
  literalIdentity,
  sameJson,
  type Json,
  type JsonObject,
  type JsonScalar,
} from "./json.ts";
export { checkTimestamp, isTimestamp } from "./timestamp.ts";
export type * from "./language/ast.ts";
export { parse } from "./language/parse.ts";
export { print } from "./language/print.ts";
export { classify, type Classification, type Language } from "./language/classify.ts";
export { bindParameters, nodeOf, type Parameters } from "./language/bind.ts";
export {
  POLICIES,
  POLICY_DEFAULT,
  WEAK_CONFIDENCE_BELOW,
  type BeliefQuestion,
  type BeliefStatus,
  type Candidate,
  type Claim,
  type Mode,
  type PolicyId,
  type Stance,
  type TimePoint,
} from "./belief/claim.ts";
export {
  projectSlot,
  type LedgerEntry,
  type Projection as BeliefProjection,
  type SlotProjection,
} from "./belief/project.ts";
export { rootsOf } from "./belief/roots.ts";
export { startKey } from "./belief/time.ts";
export {
  checkRequest,
  type ExecutionMode,
  type IngestEvidence,
  type KipOperation,
  type KipReceipt,
  type KipRequest,
  type KipResponse,
  type KipResult,
  type ResultStatus,
} from "./envelope.ts";
