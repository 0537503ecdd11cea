/** Passes calls about a Space on to the worker that has it. One hop: who was passed a call serves it or refuses. */
import type { CallContext, CallOptions, MemoryBrainClient, MemoryBrainHandlers } from "@mainspring/contracts";
import { onBehalfOf } from "@mainspring/contracts";
import { MainspringError, sleep } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";

/** Null: the call is served here. */
export type Locate = (spaceId: string) => Promise<MemoryBrainClient | null>;

/** Calls that are about no Space that is there already. */
const OWN: readonly string[] = ["CreateSpace", "ListSpaces", "LoadSpace"];
const STREAMED = "DumpSpace";

/** Times that a call looks for its Space while that changes hands. */
const LOOKS_MAX = 4;
const LOOK_AGAIN_MS = 100;

type Request = { readonly space_id: string };
type Call = (request: Request, context: CallContext) => unknown;
type Sent = (request: unknown, options: CallOptions) => unknown;

export function forwarding(handlers: MemoryBrainHandlers, locate: Locate, clock: Clock): MemoryBrainHandlers {
  const wrapped: Record<string, unknown> = { ...handlers };
  for (const [name, own] of Object.entries(handlers) as [keyof MemoryBrainHandlers, Call][]) {
    if (OWN.includes(name)) continue;
    const serve = async (request: Request, context: CallContext): Promise<unknown> => {
      const peer = await locate(request.space_id);
      if (peer === null) return own(request, context);
      if (context.forwarded) throw moving();
      return (peer[name] as unknown as Sent)(request, { ...onBehalfOf(context), forwarded: true });
    };
    wrapped[name] =
      name === STREAMED
        ? async function* (request: Request, context: CallContext) {
            yield* (await serve(request, context)) as AsyncIterable<unknown>;
          }
        : (request: Request, context: CallContext) => lookingAgain(clock, context, () => serve(request, context));
  }
  return wrapped as unknown as MemoryBrainHandlers;
}

/** A call that met its Space on the move did nothing, and is made again where the Space is by then. */
async function lookingAgain(clock: Clock, context: CallContext, attempt: () => Promise<unknown>): Promise<unknown> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (context.forwarded || looks >= LOOKS_MAX || !isMoving(error)) throw error;
      await sleep(clock, LOOK_AGAIN_MS, context.signal);
    }
  }
}

function isMoving(error: unknown): boolean {
  return error instanceof MainspringError && error.reason === "space_moved" && error.retry === "safe";
}

function moving(): MainspringError {
  return new MainspringError("unavailable", "the Space is moving between workers; send the request again", {
    reason: "space_moved",
    retry: "safe",
  });
}
