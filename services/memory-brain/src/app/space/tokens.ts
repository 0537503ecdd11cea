/** Space tokens as the Space keeps them: hashes. */
import { KipError } from "@mainspring/kip";
import type { TokenRow } from "../../ports/space-records.ts";
import type { SpaceScope } from "./scope.ts";

export const TOKENS_MAX = 100;

export type NewToken = Pick<TokenRow, "hash" | "shown" | "name" | "scope" | "labels" | "expiresAt">;

export function addToken({ records, now }: SpaceScope, token: NewToken): TokenRow {
  const known = records.tokens();
  if (known.some(({ name }) => name === token.name)) {
    throw new KipError("IdentityConflict", `there is a token of the name ${JSON.stringify(token.name)}`);
  }
  if (known.length >= TOKENS_MAX) {
    throw new KipError("ResourceExhausted", `a Space has at most ${TOKENS_MAX} tokens`, {
      details: { limit: "tokens", max: TOKENS_MAX },
    });
  }
  const row: TokenRow = { ...token, usage: 0, createdAt: now, updatedAt: now };
  records.putToken(row);
  return row;
}

/** By its hash or its name. False: there was none. */
export function revokeToken({ records }: SpaceScope, by: { readonly hash?: string; readonly name?: string }): boolean {
  const found = records
    .tokens()
    .find(({ hash, name }) => (by.hash === undefined ? name === by.name : hash === by.hash));
  return found !== undefined && records.deleteToken(found.hash);
}

export interface TokenUse {
  readonly hash: string;
  readonly times: number;
}

export function countTokenUses({ records, now }: SpaceScope, uses: readonly TokenUse[]): null {
  for (const { hash, times } of uses) records.countTokenUse(hash, times, now);
  return null;
}
