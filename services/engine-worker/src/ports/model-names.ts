/** Which models there are, by every name and label that a run may ask for. */
export interface ModelNames {
  /** Cached for a while. Rejects with `unavailable` while model-router cannot be reached. */
  list(): Promise<readonly string[]>;
}
