/** Space tokens as callers show them. */
import { createHash } from "node:crypto";

import type { Random } from "@mainspring/kernel";
import { MainspringError } from "@mainspring/kernel";

import type { OpenSpace } from "./open-spaces.ts";
import type { NewToken } from "./space/tokens.ts";
import type { TokenRow } from "../ports/space-records.ts";

const TOKEN_PREFIX = "ST";
const TOKEN_BYTES = 20;
const SHOWN_CHARACTERS = 8;
const NAME_CHARACTERS_MAX = 128;
const LABELS_MAX = 64;
const LABEL_CHARACTERS_MAX = 128;
const SCOPES = ["read", "write", "*"] as const;

export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

export interface TokenWish {
  readonly name: string;
  readonly scope: string;
  readonly expiresAt: number | null;
  readonly labels: readonly string[] | null;
}

/** A new token and what is kept of it. Throws `invalid_argument` for a wish that cannot be granted. */
export function newToken(
  random: Random,
  wish: TokenWish,
  now: number,
): { readonly value: string; readonly kept: NewToken } {
  const name = wish.name.trim();
  if (name === "" || name.length > NAME_CHARACTERS_MAX) {
    throw invalid("name", `must be 1 to ${NAME_CHARACTERS_MAX} characters`);
  }
  const scope = SCOPES.find((known) => known === wish.scope);
  if (scope === undefined) throw invalid("scope", "must be read, write or *");
  if (wish.expiresAt !== null && wish.expiresAt <= now) throw invalid("expires_at", "must be in the future");
  checkLabels(scope, wish.labels);
  const value = TOKEN_PREFIX + Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64");
  const kept = {
    hash: tokenHash(value),
    shown: value.slice(0, SHOWN_CHARACTERS),
    name,
    scope,
    labels: wish.labels,
    expiresAt: wish.expiresAt,
  };
  return { value, kept };
}

function checkLabels(scope: string, labels: readonly string[] | null): void {
  if (labels === null) return;
  if (scope !== "read") throw invalid("labels", "go with the scope read only");
  if (labels.length > LABELS_MAX) throw invalid("labels", `must be at most ${LABELS_MAX}`);
  for (const label of labels) {
    if (label.trim() === "" || label.length > LABEL_CHARACTERS_MAX)
      throw invalid("labels", `must be 1 to ${LABEL_CHARACTERS_MAX} characters each`);
  }
}

function invalid(param: string, why: string): MainspringError {
  return new MainspringError("invalid_argument", `${param} ${why}`, { param });
}

/** The token as the Space knows it, or null. A check that finds one that is valid counts as a use. */
export function lookUp(space: OpenSpace, token: string, now: number): TokenRow | null {
  const known = space.tokens.get(tokenHash(token));
  if (known === undefined) return null;
  if (known.expiresAt === null || known.expiresAt > now)
    space.uses.set(known.hash, (space.uses.get(known.hash) ?? 0) + 1);
  return known;
}
