/** The rules of admission, each with a caller who is let in and one who is not. */
import { MainspringError } from "@mainspring/kernel";
import { describe, expect, it } from "vitest";

import { admit, admitToken, callerAt, checkLabels, METHOD_RULES } from "./access.ts";
import type { Admission, AdmissionRule, Caller, KnownToken, SpaceMethod } from "./access.ts";

const caller = (subject: string, ...scopes: string[]): Caller => ({ tenant: "t", subject, scopes });
const NOBODY: Caller = { tenant: "", subject: "", scopes: [] };
const CALLERS = {
  nobody: NOBODY,
  key: caller("key"),
  "key with a grant": caller("granted", "space:read"),
  "cwt read": caller("reader", "cwt", "space:read"),
  "cwt write": caller("writer", "cwt", "space:write"),
  "cwt *": caller("owner", "cwt", "space:*"),
  service: caller("engine", "service"),
  admin: caller("admin", "admin"),
} as const;
type Name = keyof typeof CALLERS;
const PRIVATE = { id: "s", tenant: "t", public: false };
const PUBLIC = { ...PRIVATE, public: true };

function outcome(run: () => Admission): string {
  try {
    const admission = run();
    return admission.by === "token" ? "token" : admission.admitted.actor;
  } catch (error) {
    return error instanceof MainspringError ? error.code : String(error);
  }
}

/** Who is let in to a private Space without a token, by rule. */
const LET_IN: Readonly<Record<AdmissionRule, readonly Name[]>> = {
  lenient: ["key", "key with a grant", "cwt read", "cwt *", "service", "admin"],
  public: ["key", "key with a grant", "cwt read", "cwt *", "service", "admin"],
  read: ["key", "key with a grant", "cwt read", "cwt *", "service", "admin"],
  write: ["key", "cwt write", "cwt *", "service", "admin"],
  management: ["cwt write", "cwt *", "service", "admin"],
  full: ["cwt *", "service", "admin"],
  admin: ["admin"],
};

describe.each(Object.keys(METHOD_RULES) as SpaceMethod[])("%s", (method) => {
  const { rule } = METHOD_RULES[method];
  it.each(Object.keys(CALLERS) as Name[])("called by %s", (name) => {
    const refused = name === "nobody" ? "unauthenticated" : "permission_denied";
    const expected = LET_IN[rule].includes(name) ? CALLERS[name].subject : refused;
    expect(outcome(() => admit(method, CALLERS[name], PRIVATE, ""))).toBe(expected);
  });

  it("called by nobody on a public Space", () => {
    const open = rule === "lenient" || rule === "public";
    expect(outcome(() => admit(method, NOBODY, PUBLIC, ""))).toBe(open ? "anonymous" : "unauthenticated");
  });

  it("called with a token", () => {
    const byToken = ["lenient", "public", "read", "write"].includes(rule);
    const refused = rule === "admin" ? "unauthenticated" : "permission_denied";
    if (rule === "admin") expect(outcome(() => admit(method, NOBODY, PRIVATE, "ST"))).toBe("unauthenticated");
    else expect(outcome(() => admit(method, NOBODY, PRIVATE, "ST"))).toBe(byToken ? "token" : refused);
    // On a public Space a lenient route does not look at it.
    const onPublic = rule === "lenient" ? "anonymous" : byToken ? "token" : refused;
    expect(outcome(() => admit(method, NOBODY, PUBLIC, "ST"))).toBe(onPublic);
  });
});

describe("a Space token", () => {
  const token = (more: Partial<KnownToken> = {}): KnownToken => ({
    name: "n",
    scope: "read",
    labels: null,
    expiresAt: null,
    ...more,
  });
  const asked = { by: "token", right: "read", orAnonymous: false } as const;
  const result = (known: KnownToken | null, admission: Extract<Admission, { by: "token" }> = asked): string =>
    outcome(() => ({ by: "caller", admitted: admitToken(admission, known, 1_000) }));

  it("lets in with the very scope or with all of them, as its name", () => {
    expect(result(token())).toBe("st:n");
    expect(result(token({ scope: "*" }))).toBe("st:n");
    expect(result(token({ scope: "write" }))).toBe("permission_denied");
    expect(result(token(), { ...asked, right: "write" })).toBe("permission_denied");
  });

  it("is worth nothing when it is unknown or has expired, except as nobody on a public Space", () => {
    expect(result(null)).toBe("unauthenticated");
    expect(result(token({ expiresAt: 1_000 }))).toBe("unauthenticated");
    expect(result(token({ expiresAt: 1_001 }))).toBe("st:n");
    for (const known of [null, token({ expiresAt: 1 }), token({ scope: "write" })])
      expect(result(known, { ...asked, orAnonymous: true })).toBe("anonymous");
  });

  it("that has labels is refused where they cannot be kept to", () => {
    const admitted = admitToken(asked, token({ labels: [] }), 0);
    // Nothing of the graph has labels yet, so a token that is bound to some reads nothing of it.
    const content = ["ReadKip", "Probe", "ListAttention", "ListDrafts", "Recall"] as const;
    for (const method of [...content, "ListConversations", "GetConversation", "GetConversationDelta"] as const)
      expect(() => checkLabels(method, admitted), method).toThrow(MainspringError);
    for (const method of ["GetSpace", "GetFormationStatus"] as const)
      expect(() => checkLabels(method, admitted), method).not.toThrow();
    expect(() => checkLabels("Recall", admitToken(asked, token(), 0))).not.toThrow();
  });
});

describe.each(Object.keys(METHOD_RULES) as SpaceMethod[])("%s in a Space of another tenant", (method) => {
  const { rule } = METHOD_RULES[method];
  const readsOpen = rule === "lenient" || rule === "public";
  const elsewhere = { ...PRIVATE, tenant: "other" };
  const missing = "space not found: s";
  it.each(Object.keys(CALLERS) as Name[])("called by %s", (name) => {
    const at = (isPublic: boolean): Caller => callerAt(method, CALLERS[name], { ...elsewhere, public: isPublic });
    if (name === "nobody") return expect([at(false), at(true)]).toEqual([NOBODY, NOBODY]);
    expect(() => at(false)).toThrow(missing);
    // Read as anybody may, whatever rights the caller has at home.
    if (readsOpen) expect(at(true)).toEqual(NOBODY);
    else expect(() => at(true)).toThrow(missing);
  });
});

describe("a refusal says what would do", () => {
  const refusal = (method: SpaceMethod, name: Name, space = PRIVATE, token = "") => {
    try {
      admit(method, CALLERS[name], space, token);
    } catch (error) {
      return (error as Error).message;
    }
    return "let in";
  };
  it.each([
    ["WriteKip", "key", "this needs a CWT with the scope *, or an admin key"],
    ["WriteKip", "cwt write", "this needs a CWT with the scope *, or an admin key"],
    ["UpdateSpace", "key", "this needs a CWT with the scope write or *, or an admin key"],
    ["Remember", "nobody", "this Space is not public: show a credential"],
  ] as const)("%s, called by %s", (method, name, message) => {
    expect(refusal(method, name)).toBe(message);
  });
  it.each([
    ["Remember", "show a credential that may write"],
    ["WriteKip", "show a credential that may write"],
    ["DeleteSpace", "show a credential of an admin"],
  ] as const)("%s, called by nobody on a public Space", (method, message) => {
    expect(refusal(method, "nobody", PUBLIC)).toBe(message);
  });
  it("WriteKip with a Space token", () => {
    expect(refusal("WriteKip", "nobody", PRIVATE, "ST")).toContain("an admin key");
  });
});
