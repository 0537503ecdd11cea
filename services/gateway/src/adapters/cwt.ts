/** CBOR Web Tokens as COSE_Sign1 messages (RFC 9052) with Ed25519: made, and checked against known public keys. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";

import { decode, encode } from "cborg";
import type { DecodeOptions } from "cborg";

import { CLAIM, readClaims, refused } from "../domain/cwt-claims.ts";
import type { CwtClaims, SpaceScope } from "../domain/cwt-claims.ts";
import type { CwtVerifier } from "../ports/cwt-verifier.ts";

/** Longest token that is looked at. */
export const CWT_CHARS_MAX = 4096;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const ALGORITHM = 1;
/** EdDSA, and its later name for this curve alone. */
const ALGORITHMS: ReadonlySet<unknown> = new Set([-8, -19]);
const SIGN1_TAG_BYTE = 0xd2;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const unwrap = (content: () => unknown): unknown => content();
const STRICT: DecodeOptions = { useMaps: true, rejectDuplicateMapKeys: true, allowIndefinite: false };
/** 18: COSE_Sign1. 61: CWT. Both are optional. */
const MESSAGE: DecodeOptions = { ...STRICT, tags: { 18: unwrap, 61: unwrap } };

interface Sign1 {
  readonly headers: Uint8Array;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

export class Ed25519CwtVerifier implements CwtVerifier {
  readonly #keys: readonly KeyObject[];

  /** Base64 of raw public keys, 32 bytes each. Throws for one that is not. */
  constructor(publicKeys: readonly string[]) {
    this.#keys = publicKeys.map(publicKeyOf);
  }

  verify(token: string): CwtClaims {
    if (token.length > CWT_CHARS_MAX || !BASE64.test(token)) throw refused("the token is not known here");
    const { headers, payload, signature } = parse(Buffer.from(token, "base64"));
    const signed = toBeSigned(headers, payload);
    if (!this.#keys.some((key) => verify(null, signed, key, signature))) {
      throw refused("the token is not signed by a key that is known here");
    }
    return readClaims(decoded(payload, STRICT));
  }
}

function parse(bytes: Uint8Array): Sign1 {
  const message = decoded(bytes, MESSAGE);
  const [headers, unprotected, payload, signature, ...rest] = Array.isArray(message) ? (message as unknown[]) : [];
  const isWhole = headers instanceof Uint8Array && payload instanceof Uint8Array && signature instanceof Uint8Array;
  if (!isWhole || !(unprotected instanceof Map) || rest.length > 0 || signature.length !== SIGNATURE_BYTES) {
    throw refused("the token is no COSE_Sign1 message");
  }
  const fields = decoded(headers, STRICT);
  if (!(fields instanceof Map) || !ALGORITHMS.has(fields.get(ALGORITHM))) {
    throw refused("the token is not signed with EdDSA");
  }
  return { headers, payload, signature };
}

function decoded(bytes: Uint8Array, options: DecodeOptions): unknown {
  try {
    return decode(bytes, options);
  } catch {
    throw refused("the token is no CBOR Web Token");
  }
}

function toBeSigned(headers: Uint8Array, payload: Uint8Array): Uint8Array {
  return encode(["Signature1", headers, new Uint8Array(), payload]);
}

/** A raw Ed25519 public key of 32 bytes, in Base64 of either alphabet. Throws when it is not one. */
function publicKeyOf(text: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: rawKey(text).toString("base64url") }, format: "jwk" });
}

function rawKey(text: string): Buffer {
  const raw = Buffer.from(text, "base64");
  if (raw.length !== KEY_BYTES || !BASE64.test(text)) throw new TypeError(`a key is ${KEY_BYTES} bytes as Base64`);
  return raw;
}

export function isPublicKey(text: string): boolean {
  try {
    return publicKeyOf(text).asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}

export interface KeyPair {
  /** 32 bytes as Base64; what ED25519_PUBKEYS takes. */
  readonly publicKey: string;
  /** The seed, 32 bytes as Base64. */
  readonly privateKey: string;
}

export function newKeyPair(): KeyPair {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as { x: string; d: string };
  return { publicKey: fromUrlSafe(x), privateKey: fromUrlSafe(d) };
}

function fromUrlSafe(text: string): string {
  return Buffer.from(text, "base64url").toString("base64");
}

export interface NewCwt {
  readonly subject: string;
  readonly audience: string;
  readonly scope: SpaceScope;
  readonly expiresAtS: number;
  readonly issuedAtS: number;
  readonly issuer?: string;
}

/** A token as URL-safe Base64. `privateKey`: the seed, 32 bytes as Base64; throws a TypeError for anything else. */
export function signCwt(
  { subject, audience, scope, expiresAtS, issuedAtS, issuer }: NewCwt,
  privateKey: string,
): string {
  const claims = new Map<number, string | number>([
    ...(issuer === undefined ? [] : [[CLAIM.iss, issuer] as const]),
    [CLAIM.sub, subject],
    [CLAIM.aud, audience],
    [CLAIM.exp, expiresAtS],
    [CLAIM.iat, issuedAtS],
    [CLAIM.scope, scope],
  ]);
  const headers = encode(new Map([[ALGORITHM, -8]]));
  const payload = encode(claims);
  const signature = sign(null, toBeSigned(headers, payload), privateKeyOf(privateKey));
  const message = encode([headers, new Map(), payload, new Uint8Array(signature)]);
  return Buffer.concat([Buffer.from([SIGN1_TAG_BYTE]), message]).toString("base64url");
}

/** PKCS #8 of an Ed25519 key up to its seed (RFC 8410): Node reads a private JWK only with the public half. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

function privateKeyOf(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, rawKey(text)]), format: "der", type: "pkcs8" });
}
