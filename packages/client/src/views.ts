/** What the API answers, as far as clients look into it. */
export interface SessionView {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly status: string;
  readonly status_reason?: string;
  readonly last_run_id: string | null;
  readonly updated_at: string;
}

export interface RunView {
  readonly id: string;
  readonly session_id: string;
  readonly response_id: string;
  readonly agent: string;
  readonly model: string;
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly usage: Readonly<Record<string, number>>;
  readonly trace_id: string | null;
}

export interface AgentView {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly tools: "*" | readonly string[];
  readonly instructions: string;
  /** Space of its memory, or null. */
  readonly memory: string | null;
  readonly exported: boolean;
  /** Comes with the server: nobody changes it. */
  readonly fixed: boolean;
  /** Why its runs would fail; null when nothing is known to be wrong. */
  readonly problem: string | null;
}

export interface SpanView {
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  readonly service: string;
  /** Unix ms with fractions. */
  readonly start_ms: number;
  readonly duration_ms: number;
  readonly status: "unset" | "ok" | "error";
  readonly status_message?: string;
}

export interface TraceView {
  readonly trace_id: string;
  readonly spans: readonly SpanView[];
}

export interface KeyView {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly revoked_at: string | null;
  /** Only in the answer that creates it. */
  readonly key?: string;
}

export interface ListPage<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

/** A committed event. */
export interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly run_id?: string;
  readonly step?: number;
  readonly origin: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A piece of output that is not committed yet. */
export interface DeltaRow {
  readonly run_id: string;
  readonly step: number;
  readonly attempt: number;
  /** Dense from 0 within the attempt. */
  readonly chunk: number;
  readonly item: number;
  readonly kind: "text" | "reasoning" | "arguments";
  readonly offset: number;
  readonly text: string;
}

/** What was committed when the stream was opened has been sent. */
export interface CaughtUpRow {
  readonly last_seq: number;
}

/** One message of an event stream: `delta`, `caught_up`, or the type of an event. */
export interface SessionMessage {
  readonly event: string;
  readonly data: EventRow | DeltaRow | CaughtUpRow;
}

/** Address of what a Space has. */
export function spacePath(space: string, below = ""): string {
  return `/v1/spaces/${encodeURIComponent(space)}${below}`;
}

export interface SpaceView {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly public: boolean;
  readonly tier: number;
  readonly shard: number;
  readonly created_at: string;
}

export interface MemoryView {
  readonly entity: string;
  readonly type?: string;
  readonly name?: string;
  readonly confidence?: number;
  /** Who said it. */
  readonly source?: string;
  readonly created_at?: string;
  readonly text?: string;
}

export interface RecallView {
  readonly data: readonly MemoryView[];
}

export interface RememberedView {
  readonly conversation: string;
  /** The evidence that holds the text. */
  readonly entities: readonly string[];
}

/** A KIP command, or a request envelope. */
export type KipRequest = string | Readonly<Record<string, unknown>>;

export interface KipResponseView {
  readonly kip: "2.0";
  readonly status: "succeeded" | "failed" | "partial" | "outcome_unknown";
  readonly results: readonly {
    readonly status: string;
    readonly result?: unknown;
    readonly error?: KipErrorView;
  }[];
  readonly receipt?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  readonly error?: KipErrorView;
}

export interface KipErrorView {
  readonly code: string;
  readonly message: string;
}

export interface ForgottenView {
  readonly dry_run: boolean;
  readonly deleted_concepts: number;
  readonly deleted_propositions: number;
  readonly deleted_assertions: number;
  readonly deleted_evidence: number;
  readonly deleted_activities: number;
  /** In the order in which they were named; `error`: why it stays. */
  readonly entities: readonly { readonly entity: string; readonly existed: boolean; readonly error?: string }[];
}

export interface PinnedView {
  readonly entity: string;
  readonly pinned: boolean;
  /** False: it was so already. */
  readonly updated: boolean;
}

export interface VerificationView {
  readonly equal: boolean;
  readonly rows: number;
  readonly differences: readonly string[];
}

/** Times in Unix milliseconds. */
export interface SpaceTokenView {
  readonly token: string;
  readonly name: string;
  readonly scope: string;
  readonly usage: number;
  readonly expires_at?: number;
  readonly labels?: readonly string[];
}

export interface ExperimentView {
  readonly id: string;
  readonly name: string;
  readonly status: "running" | "cancelling" | "cancelled" | "completed";
  readonly progress: Readonly<Record<"cells" | "passed" | "failed" | "errors" | "running" | "waiting", number>>;
  readonly created_at: string;
}

export interface AttemptView {
  readonly cell_id: string;
  readonly subject: string;
  readonly task: string;
  readonly repetition: number;
  readonly number: number;
  readonly outcome: "running" | "passed" | "failed" | "error" | "cancelled";
  /** Whether it is the result of its cell. */
  readonly selected: boolean;
  /** At most 16,384 characters of the answer. */
  readonly text: string;
  readonly text_chars: number;
  readonly usage: Readonly<
    Record<"input_tokens" | "cached_input_tokens" | "output_tokens" | "reasoning_tokens", number>
  >;
  readonly duration_ms: number;
  readonly response_id: string | null;
  readonly run_id: string | null;
  readonly trace_id: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

export interface ReportView {
  readonly experiment: ExperimentView;
  readonly subjects: readonly {
    readonly subject: string;
    readonly cells: number;
    readonly passed: number;
    readonly failed: number;
    readonly errors: number;
    readonly missing: number;
    readonly pass_rate: number | null;
    readonly pass_rate_interval: readonly [number, number] | null;
    readonly mean_duration_ms: number | null;
    readonly mean_input_tokens: number | null;
    readonly mean_output_tokens: number | null;
  }[];
  readonly comparisons: readonly {
    readonly baseline: string;
    readonly subject: string;
    readonly pairs: number;
    readonly only_baseline_passed: number;
    readonly only_subject_passed: number;
    readonly difference: number | null;
    readonly p_value: number | null;
  }[];
  readonly failures: readonly {
    readonly subject: string;
    readonly task: string;
    readonly repetition: number;
    readonly outcome: string;
    readonly text: string;
    readonly error: string | null;
    readonly run_id: string | null;
  }[];
  readonly failures_omitted: number;
}
