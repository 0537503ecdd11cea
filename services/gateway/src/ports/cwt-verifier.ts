/** CBOR Web Tokens, signed by somebody whose public key is known here. */
import type { CwtClaims } from "../domain/cwt-claims.ts";

export interface CwtVerifier {
  /** Throws `unauthenticated` unless the token is well formed and one of the known keys signed it. */
  verify(token: string): CwtClaims;
}
