/** Placeholder shape until the closed schemas follow in this file. */
export interface SessionEvent {
  /** n × 1000 + index in the commit. */
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly run?: string;
  readonly step?: number;
  readonly origin: string;
  readonly data: Readonly<Record<string, unknown>>;
}
