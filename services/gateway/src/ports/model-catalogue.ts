/** What model-router offers. */
export interface ModelInfo {
  readonly name: string;
  readonly provider: string;
  readonly labels: readonly string[];
  readonly available: boolean;
  readonly unavailableReason: string;
}

export interface ModelCatalogue {
  /** Rejects with `unavailable` when model-router cannot be reached. */
  list(): Promise<readonly ModelInfo[]>;
}
