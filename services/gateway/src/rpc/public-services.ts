/**
 * Public gRPC: the services of the engine, memory and experiments for callers with a credential. Every method is passed on to
 * the service itself, on behalf of whoever the credential belongs to; what only services may call is refused here.
 */
import { engineContract, evalRunnerContract, memoryBrainContract } from "@mainspring/contracts";
import type {
  EngineClient,
  EngineHandlers,
  EvalRunnerClient,
  EvalRunnerHandlers,
  MemoryBrainClient,
  MemoryBrainHandlers,
  Registration,
} from "@mainspring/contracts";

import type { Identities } from "../app/identity.ts";
import type { SpaceIdentities } from "../app/space-identity.ts";
import type { Admission } from "../http/spaces/admission.ts";
import { noEvalRunner } from "../ports/eval-api.ts";
import type { Access, PublicCaller } from "./public-door.ts";
import { publicDoor } from "./public-door.ts";

const ENGINE_ACCESS: Readonly<Record<keyof EngineHandlers, Access>> = {
  CreateSession: "public",
  SubmitInput: "public",
  CancelRun: "public",
  PostToolResult: "service",
  GetToolCall: "service",
  GetSession: "public",
  ListSessions: "public",
  DeleteSession: "public",
  ReopenSession: "public",
  GetRun: "public",
  ListRuns: "public",
  ReadEvents: "public",
  SubscribeEvents: "public",
  ListAgents: "public",
  GetAgent: "public",
  PutAgent: "public",
  DeleteAgent: "public",
};

/** memory-brain has a rule for each of its methods. */
const MEMORY_ACCESS: Readonly<Record<keyof MemoryBrainHandlers, Access>> = {
  CreateSpace: "public",
  GetSpace: "public",
  ListSpaces: "public",
  UpdateSpace: "public",
  UpdateSpaceTier: "public",
  MoveSpace: "public",
  DeleteSpace: "public",
  VerifySpace: "public",
  DumpSpace: "public",
  LoadSpace: "public",
  ExecuteKip: "public",
  Probe: "public",
  PinMemory: "public",
  ForgetMemory: "public",
  ListAttention: "public",
  ListDrafts: "public",
  PromoteDraft: "public",
  GetOrInitUser: "public",
  GetFormationStatus: "public",
  Remember: "public",
  Recall: "public",
  ListConversations: "public",
  GetConversation: "public",
  GetConversationDelta: "public",
  ListSpaceTokens: "public",
  AddSpaceToken: "public",
  RevokeSpaceToken: "public",
};

const EVALS_ACCESS: Readonly<Record<keyof EvalRunnerHandlers, Access>> = {
  CreateExperiment: "public",
  GetExperiment: "public",
  ListExperiments: "public",
  CancelExperiment: "public",
  GetReport: "public",
  ListAttempts: "public",
  WatchExperiment: "public",
};

export interface PublicServicesPorts {
  readonly engine: EngineClient;
  readonly memory: MemoryBrainClient;
  /** Null: no experiments here, and callers are told so. */
  readonly evals: EvalRunnerClient | null;
  readonly identities: Identities;
  readonly spaceIdentities: SpaceIdentities;
  /** Calls of Spaces count with the requests to them. */
  readonly admission: Admission;
}

export function publicServices(ports: PublicServicesPorts): Registration[] {
  const { engine, memory, evals, identities, spaceIdentities, admission } = ports;
  // As for everything below /v1 that is no Space: a key, and its tenant.
  const byKey = async (credential: string): Promise<PublicCaller> => {
    const { tenant, subject, scopes } = await identities.identify(credential);
    return { principal: { tenant, subject, scopes }, fields: {}, leave: () => undefined };
  };
  const bySpace = async (credential: string, spaceId: string): Promise<PublicCaller> => {
    const leave = admission.admit();
    try {
      const { tenant, subject, scopes, spaceToken } = await spaceIdentities.identify(credential, spaceId);
      const fields = spaceToken === "" ? {} : { space_token: spaceToken };
      return { principal: { tenant, subject, scopes }, fields, leave };
    } catch (error) {
      leave();
      throw error;
    }
  };
  return [
    publicDoor(engineContract, () => engine, ENGINE_ACCESS, byKey),
    publicDoor(memoryBrainContract, () => memory, MEMORY_ACCESS, bySpace),
    publicDoor(evalRunnerContract, () => evals ?? absent(), EVALS_ACCESS, byKey),
  ];
}

function absent(): never {
  throw noEvalRunner();
}
