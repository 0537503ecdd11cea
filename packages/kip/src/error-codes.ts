/** The closed table of KIP 2.0 error codes: category, retry class and the hint that is given unless a better one is known. */

export type KipCategory =
  | "syntax"
  | "protocol"
  | "schema"
  | "data"
  | "epistemic"
  | "governance"
  | "transaction"
  | "history"
  | "search"
  | "artifact"
  | "resource"
  | "transport"
  | "system";

export type KipRetryClass =
  | "safe_same_request"
  | "requires_refresh"
  | "requires_different_input"
  | "requires_authority"
  | "requires_new_snapshot"
  | "requires_reacquire_artifact"
  | "outcome_lookup_required"
  | "non_retryable";

export interface KipCodeRow {
  readonly category: KipCategory;
  readonly retry: KipRetryClass;
  readonly hint: string;
}

const row = (category: KipCategory, hint: string, retry: KipRetryClass = "requires_different_input"): KipCodeRow => ({
  category,
  retry,
  hint,
});

const artifact = (hint: string, retry?: KipRetryClass): KipCodeRow => row("artifact", hint, retry);
const governance = (hint: string, retry?: KipRetryClass): KipCodeRow => row("governance", hint, retry);

export const KIP_CODES = {
  InvalidSyntax: row("syntax", "Fix the command at the position given and send it again."),
  InvalidIdentifier: row("syntax", "Use letters, digits and underscores, not starting with a digit."),
  InvalidRequestEnvelope: row(
    "protocol",
    "Compare the request with the KIP 2.0 request schema; unknown members are refused.",
  ),
  UnsupportedProtocolVersion: row("protocol", 'Send kip: "2.0".', "non_retryable"),
  UnsupportedCapability: row("protocol", "Ask DESCRIBE CAPABILITIES what this Space supports.", "non_retryable"),
  UnsupportedIsolation: row("protocol", "Use serializable isolation.", "non_retryable"),
  LanguageMismatch: row("protocol", "Set language to what the command is, or leave it out."),
  ReadonlyViolation: row("protocol", "This route only reads: send FIND or a META command."),
  DuplicateLocalHandle: row("protocol", "Give every handle in the MUTATE block its own name."),
  DuplicateMutationTarget: row("protocol", "Change an element once in a transaction; join the changes."),

  SchemaSymbolNotFound: row("schema", "Ask LIST TYPES or LIST PREDICATES, or DEFINE a draft symbol first."),
  SchemaSymbolAmbiguous: row("schema", "Name the symbol by its exact reference kip://package@version/symbol."),
  SchemaSymbolConflict: row("schema", "The name already resolves: use the symbol that is there."),
  SchemaFieldNotFound: row("schema", "Ask DESCRIBE TYPE or DESCRIBE FACET for the fields."),
  SchemaPackageUnavailable: row("schema", "Ask LIST SCHEMA PACKAGES which packages are active.", "requires_refresh"),
  SchemaEnvironmentChanged: row("schema", "Read the schema environment again and retry.", "requires_refresh"),
  HistoricalSchemaUnavailable: row("schema", "That schema environment is not kept.", "non_retryable"),
  TypeMismatch: row("schema", "Give a value of the type that the field is declared with."),
  ConstraintViolation: row("schema", "Give a value that the field's constraint allows."),

  NotFoundOrNotVisible: row("data", "Search for the element; it may exist and not be visible to you."),
  ReferenceError: row("data", "Bind the name, or correct it."),
  StructuralReferenceInvalid: row(
    "data",
    "Point the structural field at an element of a kind and type that it allows.",
  ),
  IdentitySelectorRequired: row("data", "Name the concept by id, or by type and key."),
  NameIdentityForbidden: row("data", "A name is not an identity: match by key or id."),
  IdentityConflict: row("data", "Another concept holds this identity; name one of them by id."),
  ClientKeyConflict: row("data", "The client key is taken by other content; use another key."),
  IdentityMergeConflict: row("data", "The concepts are already merged, or merging them would make a cycle."),

  ImmutableField: row("epistemic", "This field is fixed at creation."),
  EpistemicRevisionRequired: row("epistemic", "Do not rewrite a claim: ASSERT a new one SUPERSEDING the old."),
  EvidenceCorrectionRequired: row("epistemic", 'Create new Evidence and TRANSITION the old TO "corrected" BY it.'),
  InvalidLifecycleTransition: row("epistemic", "Read the element's state; this move does not start there."),
  RetractionNotAuthorized: row("epistemic", "Only its own actor withdraws a claim.", "requires_authority"),
  SupersessionMismatch: row(
    "epistemic",
    "Supersede a claim of the same actor about the same thing in the same context.",
    "requires_refresh",
  ),
  EvidenceCorrectionConflict: row("epistemic", "This Evidence was corrected by another already.", "requires_refresh"),
  ActivityTerminal: row("epistemic", "The Activity has ended and is fixed."),
  ProjectionTargetUnbound: row("epistemic", "Bind the subject of the belief by another pattern."),
  ProjectionTargetUnbounded: row("epistemic", "Narrow what the belief is asked about."),
  ProjectionNotAuthorized: row("epistemic", "Ask for a projection that you may see.", "requires_authority"),
  ProjectionPolicyUnavailable: row(
    "epistemic",
    "Ask LIST EPISTEMIC POLICIES for the policies here.",
    "requires_refresh",
  ),

  Unauthenticated: governance("Send valid credentials.", "requires_authority"),
  NotAuthorized: governance("Ask somebody who holds the authority.", "requires_authority"),
  RequiresApproval: governance("Get the approval first.", "requires_authority"),
  RequiresStrongerAuthentication: governance("Authenticate again in a stronger way.", "requires_authority"),
  ActorBindingRequired: governance("Bind the actor to the caller first.", "requires_authority"),
  ProtectedSystemField: governance("The engine alone writes this field.", "non_retryable"),
  ProtectedGovernanceField: governance("Cognition cannot write governance.", "non_retryable"),
  ProtectedSchemaState: governance("Cognition cannot write installed schema.", "non_retryable"),
  LegalHoldConflict: governance("Have the legal hold lifted first.", "requires_authority"),
  PurgeDenied: governance(
    'Remove the references first, or write REFERENCE POLICY "tombstone_reference" before CONFIRM to leave them to a stub ' +
      '("authorized_cascade" removes them too).',
    "requires_authority",
  ),

  VersionConflict: row(
    "transaction",
    "Read the element again and apply the change to what it is now.",
    "requires_refresh",
  ),
  PreconditionFailed: row("transaction", "The Space moved on: read it again.", "requires_refresh"),
  SerializationConflict: row("transaction", "Send the same request again.", "safe_same_request"),
  IdempotencyConflict: row("transaction", "This key belongs to another request; use a new one."),
  TransactionUnknown: row(
    "transaction",
    "Look the transaction up by its id or idempotency key.",
    "outcome_lookup_required",
  ),
  OutcomeUnknown: row("transaction", "Look the outcome up by the idempotency key.", "outcome_lookup_required"),
  TransactionTooLarge: row("transaction", "Split the change into smaller transactions."),

  HistoricalSnapshotUnavailable: row(
    "history",
    "Read at a sequence number that exists and is kept.",
    "requires_new_snapshot",
  ),
  CursorMismatch: row("history", "Send a cursor only with the query that gave it."),
  CursorTypeMismatch: row("history", "This cursor belongs to another kind of command."),
  CursorExpired: row("history", "Start the listing again.", "requires_new_snapshot"),
  CursorInvalid: row("history", "Send the cursor exactly as it was given."),

  SearchModeUnsupported: row("search", 'Use MODE "keyword"; DESCRIBE CAPABILITIES lists the others.'),
  SearchIndexUnavailable: row("search", "Send the same request again later.", "safe_same_request"),
  HistoricalSearchUnavailable: row("search", "Search the present, or use FIND with AS OF SEQ.", "non_retryable"),

  ArtifactUnavailable: artifact("Provide the artifact again.", "requires_reacquire_artifact"),
  ArtifactTooLarge: artifact("Provide a smaller artifact."),
  ArtifactParseError: artifact("The artifact is not well formed."),
  DigestMismatch: artifact("The content does not match its digest.", "requires_reacquire_artifact"),
  ProofInvalid: artifact("The proof does not verify.", "non_retryable"),
  SignerUnknown: artifact("The signer is not known here.", "non_retryable"),
  BlobUnavailable: artifact("Provide the blob again.", "requires_reacquire_artifact"),
  CapsuleValidationFailed: artifact("Correct the capsule."),
  ImportPreviewConflict: artifact("Preview the import again.", "requires_refresh"),

  ResourceExhausted: row("resource", "Make the request smaller."),
  ResultLimitExceeded: row("resource", "Add a LIMIT or narrow the patterns."),
  ExecutionTimeout: row("resource", "Allow more time or narrow the patterns.", "safe_same_request"),
  RateLimited: row("resource", "Wait, then send the same request again.", "safe_same_request"),
  InternalError: row("system", "Send the same request again; report it if it persists.", "safe_same_request"),
} as const satisfies Readonly<Record<string, KipCodeRow>>;

export type KipCode = keyof typeof KIP_CODES;
