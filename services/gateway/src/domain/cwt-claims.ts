/** The claims of a CBOR Web Token (RFC 8392), as far as Spaces look at them. */
import { MainspringError } from "@mainspring/kernel";

/** Registered numbers of the claims. */
export const CLAIM = { iss: 1, sub: 2, aud: 3, exp: 4, nbf: 5, iat: 6, scope: 9 } as const;
export const SPACE_SCOPES = ["read", "write", "*"] as const;
export type SpaceScope = (typeof SPACE_SCOPES)[number];
/** Audience of a token for every Space. */
export const EVERY_SPACE = "*";
const SUBJECT_CHARS_MAX = 256;

export interface CwtClaims {
  readonly subject: string;
  /** A Space's id, or EVERY_SPACE. */
  readonly audience: string;
  readonly scope: SpaceScope;
  /** Unix seconds; fractions are legal. */
  readonly expiresAtS: number;
  readonly notBeforeS: number;
}

export function refused(message: string, reason = "invalid_token"): MainspringError {
  return new MainspringError("unauthenticated", message, { reason });
}

/** Claims of a payload whose signature was checked. Throws `unauthenticated` for what is missing or wrong. */
export function readClaims(payload: unknown): CwtClaims {
  if (!(payload instanceof Map)) throw refused("the token's payload is no map of claims");
  const claims = payload as ReadonlyMap<unknown, unknown>;
  const subject = claims.get(CLAIM.sub);
  if (typeof subject !== "string" || subject.trim() === "" || subject.length > SUBJECT_CHARS_MAX) {
    throw refused(`the token needs a subject (sub) of 1 to ${SUBJECT_CHARS_MAX} characters`);
  }
  const scope = SPACE_SCOPES.find((known) => known === claims.get(CLAIM.scope));
  if (scope === undefined) throw refused(`the token's scope must be one of ${SPACE_SCOPES.join(", ")}`);
  const audience = claims.get(CLAIM.aud);
  if (typeof audience !== "string") throw refused("the token needs an audience (aud): a Space, or * for every Space");
  const expiresAtS = claims.get(CLAIM.exp);
  if (!isTime(expiresAtS)) throw refused("the token needs a time at which it expires (exp)");
  const notBeforeS = claims.get(CLAIM.nbf) ?? 0;
  const issuedAtS = claims.get(CLAIM.iat) ?? 0;
  if (!isTime(notBeforeS) || !isTime(issuedAtS)) throw refused("the token's nbf and iat must be times");
  return { subject, audience, scope, expiresAtS, notBeforeS };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/**
 * Throws `unauthenticated` unless the claims hold at `nowMs` for the Space. An empty id asks for a token of every
 * Space.
 */
export function checkClaims({ audience, expiresAtS, notBeforeS }: CwtClaims, spaceId: string, nowMs: number): void {
  if (nowMs >= expiresAtS * 1000) throw refused("the token has expired", "token_expired");
  if (nowMs < notBeforeS * 1000) throw refused("the token is not valid yet");
  if (audience !== EVERY_SPACE && audience !== spaceId) {
    throw refused("the token is not for this Space (aud)", "wrong_audience");
  }
}
