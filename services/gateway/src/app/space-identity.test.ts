import { systemRandom } from "@mainspring/kernel";
import type { Clock } from "@mainspring/kernel";
import { describe, expect, test } from "vitest";

import { newKeyPair, signCwt } from "../adapters/cwt.ts";
import type { CwtClaims } from "../domain/cwt-claims.ts";
import { refused } from "../domain/cwt-claims.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import { Identities } from "./identity.ts";
import { SpaceIdentities } from "./space-identity.ts";

const ADMIN = "the admin's key";
const NOW_S = 1_000;
const clock = { now: () => NOW_S * 1000, monotonicMs: () => 0 } as Clock;
const token = (name: string): string => `${name}${"x".repeat(60)}`;
const claims: Readonly<Record<string, CwtClaims>> = {
  [token("notes")]: { subject: "ana", audience: "notes", scope: "read", expiresAtS: 2_000, notBeforeS: 0 },
  [token("every")]: { subject: "root", audience: "*", scope: "*", expiresAtS: 2_000, notBeforeS: 0 },
  [token("over")]: { subject: "ana", audience: "*", scope: "*", expiresAtS: 999, notBeforeS: 0 },
};

function keyStore(): KeyStore {
  const keys: ApiKey[] = [];
  return {
    insert: async (key) => void keys.push(key),
    findByHash: async (hash) => keys.find((key) => key.hash === hash) ?? null,
    list: async () => keys,
    revoke: async () => false,
    ping: async () => undefined,
  };
}

function create(required = true) {
  const tried: string[] = [];
  const cwt = {
    verify(text: string): CwtClaims {
      tried.push(text);
      if (claims[text] === undefined) throw refused("unknown");
      return claims[text];
    },
  };
  const identities = new Identities({ keys: keyStore(), clock, random: systemRandom }, { adminKey: ADMIN, required });
  return { identities, tried, spaces: new SpaceIdentities({ identities, cwt, clock }, ["root"]) };
}

const SPACE_TOKEN = `ST${Buffer.alloc(20, 251).toString("base64")}`;

describe("where an API key is wanted", () => {
  const invalid = { code: "unauthenticated", reason: "invalid_api_key" };
  const fields = { subject: "ana", audience: "*", scope: "*", expiresAtS: 2_000, issuedAtS: 1_000 } as const;
  const signed = signCwt(fields, newKeyPair().privateKey);
  const tagged = (tag: string) =>
    Buffer.concat([Buffer.from(tag, "hex"), Buffer.from(signed, "base64url").subarray(1)]).toString("base64");
  test.each([
    ["a Space token", SPACE_TOKEN],
    ["a CBOR Web Token", signed],
    ["a CBOR Web Token", tagged("")],
    ["a CBOR Web Token", tagged("d83d")],
    ["a CBOR Web Token", tagged("d83dd2")],
  ])("%s is recognised", async (what, secret) => {
    const { identities } = create();
    await expect(identities.identify(secret)).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining(`this is ${what}`),
    });
  });

  test("anything else is a key that is not known, also what is only long", async () => {
    const { identities } = create();
    for (const secret of ["unknown", "x".repeat(80), `msk_${"0".repeat(48)}`, "0oR"]) {
      await expect(identities.identify(secret)).rejects.toMatchObject({
        ...invalid,
        message: "this API key is not known",
      });
    }
  });

  test("without authentication a token is as good as nothing", async () => {
    expect(await create(false).identities.identify(SPACE_TOKEN)).toMatchObject({ scopes: ["admin"] });
  });
});

describe("who calls a Space", () => {
  test("an API key has its tenant and scopes", async () => {
    const { identities, spaces } = create();
    const { secret, key } = await identities.create("acme", "", ["space:read"]);
    expect(await spaces.identify(secret, "notes")).toEqual({
      tenant: "acme",
      subject: key.id,
      scopes: ["space:read"],
      spaceToken: "",
    });
  });

  test("the admin key is the admin, whatever it looks like", async () => {
    const { spaces } = create();
    expect(await spaces.identify(ADMIN, "notes")).toMatchObject({ tenant: "default", scopes: ["admin"] });
  });

  test("a CWT has its scope, and a manager's is an admin too", async () => {
    const { spaces } = create();
    const ana = { tenant: "default", subject: "ana", scopes: ["cwt", "space:read"], spaceToken: "" };
    expect(await spaces.identify(token("notes"), "notes")).toEqual(ana);
    expect(await spaces.identify(token("every"), "plans")).toMatchObject({ scopes: ["cwt", "space:*", "admin"] });
    expect(await spaces.identify(token("every"), "")).toMatchObject({ subject: "root" });
  });

  test("a CWT of another Space, for no Space in particular, or of the past proves nothing", async () => {
    const { spaces } = create();
    for (const [name, space, reason] of [
      ["notes", "plans", "wrong_audience"],
      ["notes", "", "wrong_audience"],
      ["over", "notes", "token_expired"],
      ["unknown", "notes", "invalid_token"],
    ] as const) {
      await expect(spaces.identify(token(name), space)).rejects.toMatchObject({ code: "unauthenticated", reason });
    }
  });

  test("a Space token is passed on unchecked, and no credential is nobody of no tenant", async () => {
    const { spaces, tried } = create();
    const nobody = { tenant: "", subject: "anonymous", scopes: [] };
    expect(await spaces.identify(SPACE_TOKEN, "notes")).toEqual({ ...nobody, spaceToken: SPACE_TOKEN });
    expect(await spaces.identify("", "notes")).toEqual({ ...nobody, spaceToken: "" });
    expect(tried).toEqual([]);
  });

  test("nothing below 60 characters is tried as CWT", async () => {
    const { spaces, tried } = create();
    await expect(spaces.identify("x".repeat(59), "notes")).rejects.toMatchObject({ reason: "invalid_api_key" });
    expect(tried).toEqual([]);
    await expect(spaces.identify("x".repeat(60), "notes")).rejects.toMatchObject({ reason: "invalid_token" });
    expect(tried).toHaveLength(1);
  });

  test("without authentication everybody is the admin, but a Space token still binds", async () => {
    const { spaces } = create(false);
    for (const secret of ["", "unknown", token("over")]) {
      expect(await spaces.identify(secret, "notes")).toMatchObject({ scopes: ["admin"] });
    }
    expect(await spaces.identify(SPACE_TOKEN, "notes")).toMatchObject({ scopes: [], spaceToken: SPACE_TOKEN });
  });
});
