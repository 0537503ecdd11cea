/** Passes calls about a Space on to the worker that has it. One hop: who was passed a call serves it or refuses. */
import type { CallContext, CallOptions, MemoryBrainClient, MemoryBrainHandlers } from "@mainspring/contracts";
import { onBehalfOf } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

/** Null: the call is served here. */
export type Locate = (spaceId: string) => Promise<MemoryBrainClient | null>;

/** Calls that are about no Space that is there already. */
const OWN: readonly string[] = ["CreateSpace", "ListSpaces", "LoadSpace"];
const STREAMED = "DumpSpace";

type Call = (request: { readonly space_id: string }, context: CallContext) => unknown;
type Sent = (request: unknown, options: CallOptions) => unknown;

export function forwarding(handlers: MemoryBrainHandlers, locate: Locate): MemoryBrainHandlers {
  const wrapped: Record<string, unknown> = { ...handlers };
  for (const [name, own] of Object.entries(handlers) as [keyof MemoryBrainHandlers, Call][]) {
    if (OWN.includes(name)) continue;
    const place = async (spaceId: string, { forwarded }: CallContext): Promise<Sent | null> => {
      const peer = await locate(spaceId);
      if (peer === null) return null;
      if (!forwarded) return peer[name] as unknown as Sent;
      throw new MainspringError("unavailable", "the Space is moving between workers; send the request again", {
        reason: "space_moved",
        retry: "safe",
      });
    };
    const passedOn = (context: CallContext): CallOptions => ({ ...onBehalfOf(context), forwarded: true });
    wrapped[name] =
      name === STREAMED
        ? async function* (request: { readonly space_id: string }, context: CallContext) {
            const sent = await place(request.space_id, context);
            const frames = sent === null ? own(request, context) : sent(request, passedOn(context));
            yield* frames as AsyncIterable<unknown>;
          }
        : async (request: { readonly space_id: string }, context: CallContext) => {
            const sent = await place(request.space_id, context);
            return await (sent === null ? own(request, context) : sent(request, passedOn(context)));
          };
  }
  return wrapped as unknown as MemoryBrainHandlers;
}
