/** Text too large for an event. */
export interface ContentStore {
  /** Stores the text and returns its digest. */
  put(tenant: string, text: string): Promise<string>;
  /** Null when it is not there. */
  get(tenant: string, digest: string): Promise<string | null>;
}
