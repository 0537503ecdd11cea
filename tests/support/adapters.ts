/** How contract tests meet the adapters: what a suite needs of one, and what happens when its server is missing. */
import { randomBytes } from "node:crypto";

import { MainspringError } from "@mainspring/kernel";
import { describe, test } from "vitest";

import type { ProvidedServer } from "./servers-setup.ts";

/** One port's adapter under test. */
export interface Harness<Port> {
  readonly subject: Port;
  /** Eight of them on the same data, through several connections where the adapter has connections. */
  readonly peers: readonly Port[];
  /** As after a restart: everything is closed and opened again on the same data. */
  reopen(): Promise<Port>;
  close(): Promise<void>;
}

/** Runs the suite with the server's URL, or leaves a skipped test that says why not. */
export function withServer(name: string, server: ProvidedServer, suite: (url: string, name: string) => void): void {
  if (server.url !== null) {
    suite(server.url, `${name}, ${server.description}`);
    return;
  }
  const { reason } = server;
  describe(name, () => {
    test("is not tested", (context) => context.skip(reason));
  });
}

/** Runs the suite where it can start a server of its own, else leaves a skipped test that says why not. */
export function withOwnServer(name: string, server: ProvidedServer, suite: () => void): void {
  if (server.url !== null && server.startable) {
    describe(name, suite);
    return;
  }
  const reason = server.url === null ? server.reason : "the server was given by URL, and none can be started here";
  describe(name, () => {
    test("is not tested", (context) => context.skip(reason));
  });
}

/** A name that no other suite uses, for a database or a prefix. */
export function uniqueName(): string {
  return `test_${randomBytes(6).toString("hex")}`;
}

/** The adapter with every reply lost: each call takes effect and then fails as unavailable. */
export function losingReplies<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]): Promise<never> => {
        await (member.apply(target, args) as Promise<unknown>);
        throw new MainspringError("unavailable", "the reply was lost", { retry: "unknownOutcome" });
      };
    },
  });
}
