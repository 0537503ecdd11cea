/** What a Space does beside KIP, by name. The thread that owns the connection runs it. */
import { KipError } from "@mainspring/kip";
import type { TokenRow } from "../../ports/space-records.ts";
import { hasUnraised, listAttention, raiseDue } from "./attention.ts";
import { conversationDelta, getConversation, listConversations } from "./conversations.ts";
import { forget, getOrInitUser, pin } from "./keep.ts";
import { probe, recall } from "./recall.ts";
import { remember } from "./remember.ts";
import type { SpaceScope } from "./scope.ts";
import { formationStatus, listDrafts, spaceStatus } from "./status.ts";
import { addToken, countTokenUses, revokeToken } from "./tokens.ts";

const READS = {
  status: (scope: SpaceScope, _input: null) => spaceStatus(scope),
  formationStatus: (scope: SpaceScope, _input: null) => formationStatus(scope),
  drafts: (scope: SpaceScope, _input: null) => listDrafts(scope),
  tokens: ({ records }: SpaceScope, _input: null): TokenRow[] => records.tokens(),
  probe,
  recall,
  hasUnraised: (scope: SpaceScope, _input: null) => hasUnraised(scope),
  attention: listAttention,
  conversations: listConversations,
  conversation: getConversation,
  conversationDelta,
};

const WRITES = {
  addToken,
  revokeToken,
  countTokenUses,
  pin,
  forget,
  getOrInitUser,
  remember,
  raiseDue: (scope: SpaceScope, _input: null) => raiseDue(scope),
};

type Calls = typeof READS & typeof WRITES;
export type SpaceCall = keyof Calls;
export type CallInput<K extends SpaceCall> = Parameters<Calls[K]>[1];
export type CallOutput<K extends SpaceCall> = ReturnType<Calls[K]>;

/** Whether it needs the writing connection. */
export const writesSpace = (name: SpaceCall): boolean => Object.hasOwn(WRITES, name);
/** Whether it looks at the word index, which then has to hold everything that was acknowledged. */
export const searchesSpace = (name: SpaceCall): boolean => name === "probe" || name === "recall";

/** Runs a call. What a write did is undone when it throws. */
export function runCall<K extends SpaceCall>(scope: SpaceScope, name: K, input: CallInput<K>): CallOutput<K> {
  const run = ({ ...READS, ...WRITES } as Record<string, (scope: SpaceScope, input: unknown) => unknown>)[name];
  if (run === undefined) throw new KipError("InternalError", `there is no call ${name}`);
  if (!writesSpace(name)) return run(scope, input) as CallOutput<K>;
  return scope.engine.store.attempt(() => ({ value: run(scope, input) as CallOutput<K>, keep: true }));
}
