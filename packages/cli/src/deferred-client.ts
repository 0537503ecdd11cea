/** A client that exists before its server does: services need each other's clients before all of them are composed. */
import type { Connected, Contract, InProcessServer } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";

type AnyClient = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** Calls fail as unavailable until `server` returns one. */
export function deferredClient<Handlers, Definition>(
  contract: Contract<Handlers, Definition>,
  server: () => InProcessServer | null,
): Connected<Contract<Handlers, Definition>> {
  let connected: AnyClient | null = null;
  const connect = (): AnyClient => {
    const current = server();
    if (current === null) throw new MainspringError("unavailable", `${contract.name} is not served yet`);
    connected ??= current.connect(contract) as unknown as AnyClient;
    return connected;
  };
  const client: Record<string, unknown> = { close: () => undefined };
  for (const name of Object.keys(contract.definition())) {
    client[name] = (...args: unknown[]) => connect()[name]!(...args);
  }
  return client as Connected<Contract<Handlers, Definition>>;
}
