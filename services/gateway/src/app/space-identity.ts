/** Who calls a Space: by API key, CBOR Web Token, Space token, or as nobody in particular. */
import type { Clock } from "@mainspring/kernel";

import { CWT_CHARS_MIN, isSpaceToken } from "../domain/credential-kind.ts";
import { checkClaims } from "../domain/cwt-claims.ts";
import type { CwtVerifier } from "../ports/cwt-verifier.ts";
import type { Identities, Identity } from "./identity.ts";
import { ADMIN_SCOPE, DEFAULT_TENANT } from "./identity.ts";

/** The caller showed a CWT. */
const CWT_SCOPE = "cwt";

/** Nobody in particular: sees what is public, in any tenant. */
const NOBODY: Identity = { tenant: "", subject: "anonymous", scopes: [] };

export interface SpaceIdentity extends Identity {
  /** As it was presented, for the Space to check; empty without one. */
  readonly spaceToken: string;
}

export interface SpaceIdentitiesPorts {
  readonly identities: Identities;
  readonly cwt: CwtVerifier;
  readonly clock: Clock;
}

export class SpaceIdentities {
  readonly #ports: SpaceIdentitiesPorts;
  readonly #managers: ReadonlySet<string>;

  /** `managers`: subjects of CWTs that may manage Spaces. */
  constructor(ports: SpaceIdentitiesPorts, managers: readonly string[]) {
    this.#ports = ports;
    this.#managers = new Set(managers);
  }

  /** Nobody needs a credential. */
  get isOpen(): boolean {
    return this.#ports.identities.isOpen;
  }

  /**
   * The caller, with the rights that its credential gives on the Space; an empty `spaceId` asks for rights on every
   * Space. Space tokens are passed on unchecked. Throws `unauthenticated` for what proves nothing.
   */
  async identify(secret: string, spaceId: string): Promise<SpaceIdentity> {
    const { identities } = this.#ports;
    if (secret === "") return plain(identities.isOpen ? identities.stranger() : NOBODY);
    const known = await identities.find(secret);
    if (known !== null) return plain(known);
    if (isSpaceToken(secret)) return { ...NOBODY, spaceToken: secret };
    if (secret.length < CWT_CHARS_MIN || identities.isOpen) return plain(identities.stranger());
    return plain(this.#fromCwt(secret, spaceId));
  }

  #fromCwt(token: string, spaceId: string): Identity {
    const { cwt, clock } = this.#ports;
    const claims = cwt.verify(token);
    checkClaims(claims, spaceId, clock.now());
    const { subject, scope } = claims;
    const manages = this.#managers.has(subject) ? [ADMIN_SCOPE] : [];
    return { tenant: DEFAULT_TENANT, subject, scopes: [CWT_SCOPE, `space:${scope}`, ...manages] };
  }
}

function plain(identity: Identity): SpaceIdentity {
  return { ...identity, spaceToken: "" };
}
