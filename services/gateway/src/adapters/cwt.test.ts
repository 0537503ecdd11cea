import { generateKeyPairSync, sign } from "node:crypto";

import { encode } from "cborg";
import { describe, expect, test } from "vitest";

import { checkClaims } from "../domain/cwt-claims.ts";
import { Ed25519CwtVerifier, isPublicKey, newKeyPair, signCwt } from "./cwt.ts";

const pair = newKeyPair();
const other = newKeyPair();
const verifier = new Ed25519CwtVerifier([other.publicKey, pair.publicKey]);
const fields = { subject: "ana", audience: "notes", scope: "read", expiresAtS: 2_000, issuedAtS: 1_000 } as const;
const raw = generateKeyPairSync("ed25519");
const rawVerifier = new Ed25519CwtVerifier([
  Buffer.from((raw.publicKey.export({ format: "jwk" }) as { x: string }).x, "base64url").toString("base64"),
]);

/** A message of these parts, rightly signed over them; `tag` goes before it. */
function message(claims: unknown, { headers = new Map([[1, -8]]), tag = "", extra = [] as unknown[] } = {}): string {
  const [protectedHeaders, payload] = [encode(headers), encode(claims)];
  const signature = sign(null, encode(["Signature1", protectedHeaders, new Uint8Array(), payload]), raw.privateKey);
  const body = encode([protectedHeaders, new Map(), payload, new Uint8Array(signature), ...extra]);
  return Buffer.concat([Buffer.from(tag, "hex"), body]).toString("base64");
}
const claims = (changes: readonly (readonly [number, unknown])[] = []): Map<number, unknown> =>
  new Map<number, unknown>([[2, "ana"], [3, "*"], [4, 2_000], [9, "write"], ...changes]);

describe("verify", () => {
  test("takes what any of the keys signed", () => {
    const expected = { subject: "ana", audience: "notes", scope: "read", expiresAtS: 2_000, notBeforeS: 0 };
    expect(verifier.verify(signCwt(fields, pair.privateKey))).toEqual(expected);
    expect(verifier.verify(signCwt({ ...fields, issuer: "idp" }, other.privateKey))).toEqual(expected);
  });

  test.each(["", "d2", "d83dd2", "d83d"])("takes either alphabet of Base64 and the tag %j", (tag) => {
    const token = message(claims(), { tag });
    expect(rawVerifier.verify(token).subject).toBe("ana");
    expect(rawVerifier.verify(token.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")).scope).toBe("write");
  });

  test("refuses another's signature, and one bit changed in any place", () => {
    expect(() => new Ed25519CwtVerifier([other.publicKey]).verify(signCwt(fields, pair.privateKey))).toThrow("signed");
    expect(() => new Ed25519CwtVerifier([]).verify(signCwt(fields, pair.privateKey))).toThrow("signed");
    const bytes = Buffer.from(signCwt(fields, pair.privateKey), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => verifier.verify(changed.toString("base64url")), `byte ${at}`).toThrow(
        expect.objectContaining({ code: "unauthenticated" }),
      );
    }
  });

  test.each([
    ["no subject", claims([[2, undefined]])],
    ["an empty subject", claims([[2, " "]])],
    ["a subject that is no text", claims([[2, 7]])],
    ["no scope", claims([[9, undefined]])],
    ["a scope that is none", claims([[9, "admin"]])],
    ["two scopes", claims([[9, "read write"]])],
    ["no audience", claims([[3, undefined]])],
    ["no end", claims([[4, undefined]])],
    ["an end that is no number", claims([[4, "2000"]])],
    ["a list for a payload", ["ana"]],
  ])("refuses %s", (_what, payload) => {
    expect(() => rawVerifier.verify(message(payload))).toThrow(expect.objectContaining({ code: "unauthenticated" }));
  });

  test("refuses other algorithms, parts too many, and what is no CBOR", () => {
    for (const token of [
      message(claims(), { headers: new Map([[1, -7]]) }),
      message(claims(), { headers: new Map() }),
      message(claims(), { extra: [1] }),
      message(claims(), { tag: "d3" }),
      "x".repeat(80),
      Buffer.alloc(3_000, 0x81).toString("base64"),
      "A".repeat(5_000),
    ]) {
      expect(() => rawVerifier.verify(token), token).toThrow(expect.objectContaining({ code: "unauthenticated" }));
    }
  });
});

describe("the claims", () => {
  const held = rawVerifier.verify(message(claims([[5, 1_500]])));

  test("hold from nbf up to exp, for the audience", () => {
    checkClaims(held, "notes", 1_500_000);
    checkClaims({ ...held, audience: "notes" }, "notes", 1_999_999);
    expect(() => checkClaims(held, "notes", 2_000_000)).toThrow(expect.objectContaining({ reason: "token_expired" }));
    expect(() => checkClaims(held, "notes", 1_499_999)).toThrow("not valid yet");
    for (const spaceId of ["plans", ""]) {
      expect(() => checkClaims({ ...held, audience: "notes" }, spaceId, 1_600_000)).toThrow(
        expect.objectContaining({ reason: "wrong_audience" }),
      );
    }
  });
});

test("keys are 32 bytes as Base64", () => {
  expect(isPublicKey(pair.publicKey)).toBe(true);
  for (const text of ["", "abc", `${pair.publicKey}A`, Buffer.alloc(31).toString("base64"), "!".repeat(44)]) {
    expect(isPublicKey(text), text).toBe(false);
  }
  expect(() => signCwt(fields, "abc")).toThrow(TypeError);
});
