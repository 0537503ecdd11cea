/** What a Space keeps beside its graph: conversations and tokens. Calls are synchronous, on the thread of the connection. */

export const COLLECTIONS = ["formation", "recall", "maintenance"] as const;
export type Collection = (typeof COLLECTIONS)[number];

export interface ConversationRow {
  readonly collection: Collection;
  readonly id: number;
  readonly clientKey: string | null;
  /** What a repeated key is compared by. */
  readonly digest: string | null;
  readonly user: string;
  readonly status: string;
  /** The rest, as JSON. */
  readonly body: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TokenRow {
  /** SHA-256 of the whole token, in hex. */
  readonly hash: string;
  /** Its first characters. */
  readonly shown: string;
  readonly name: string;
  readonly scope: "read" | "write" | "*";
  readonly labels: readonly string[] | null;
  readonly usage: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
}

export interface SpaceRecords {
  nextConversation(collection: Collection): number;
  putConversation(row: ConversationRow): void;
  /** Evidence that holds what was said in the conversation: where it is erased, so is the transcript. */
  linkEvidence(collection: Collection, id: number, eids: readonly number[]): void;
  conversation(collection: Collection, id: number): ConversationRow | undefined;
  conversationByKey(collection: Collection, clientKey: string): ConversationRow | undefined;
  /** Newest first, with ids below `before`. */
  conversations(collection: Collection, before: number, limit: number): ConversationRow[];
  countConversations(collection: Collection): number;
  /** Highest id that is completed, failed or cancelled; 0 without one. */
  processedConversation(collection: Collection): number;

  tokens(): TokenRow[];
  putToken(row: TokenRow): void;
  deleteToken(hash: string): boolean;
  countTokenUse(hash: string, times: number, at: number): void;

  /** Active elements of the kinds Concept and Proposition. */
  countElements(kind: 0 | 1): number;
  stats(): { readonly bytes: number; readonly elements: number; readonly transactions: number };
}
