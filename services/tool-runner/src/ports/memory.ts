/** The memory of agents, in the words of the tools that work on it. */
export interface RememberedPassage {
  /** What it stands in: an element of the Space. */
  readonly entity: string;
  readonly type: string;
  readonly name: string;
  readonly text: string;
  readonly source: string;
  readonly created_at: string;
  readonly confidence?: number;
}

export interface MemoryCall {
  readonly tenant: string;
  readonly space: string;
  /** Who it is done for, and the agent that does it; empty where that is not known. */
  readonly caller: string;
  readonly agent: string;
  /** Of the tool's call. */
  readonly traceparent: string;
  readonly signal: AbortSignal;
}

export interface Memory {
  /** The best passages for a query, at most `limit`. Throws a MainspringError. */
  recall(call: MemoryCall, query: string, limit: number): Promise<readonly RememberedPassage[]>;
  /** Keeps a text as said by the caller, kept by the agent; a repeated key finds what the first one kept. Resolves with the elements that hold it. */
  remember(call: MemoryCall, text: string, idempotencyKey: string): Promise<readonly string[]>;
}
