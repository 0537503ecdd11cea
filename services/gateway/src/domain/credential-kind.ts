/** Credentials of Spaces, told by their looks. */

/** `ST` and 20 bytes as Base64 of either alphabet. */
const SPACE_TOKEN = /^ST[A-Za-z0-9+/_-]{27}=?$/;
/** How the Base64 of a COSE_Sign1, an array of four, begins: with its tag, that of a CWT, both, or none. */
const COSE_SIGN1 = /^(?:0oR|2D2E|2D3S|hE)[A-Za-z0-9+/_-]+={0,2}$/;
/** Shorter tokens are never tried as CWT. */
export const CWT_CHARS_MIN = 60;

export const isSpaceToken = (secret: string): boolean => SPACE_TOKEN.test(secret);

/** What a secret is that opens Spaces only; null for anything else. */
export function spaceCredential(secret: string): "a Space token" | "a CBOR Web Token" | null {
  if (isSpaceToken(secret)) return "a Space token";
  return secret.length >= CWT_CHARS_MIN && COSE_SIGN1.test(secret) ? "a CBOR Web Token" : null;
}
