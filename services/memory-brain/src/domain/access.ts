/**
 * Who may call what of a Space. The rules are one table; what a caller showed is decided before the Space is loaded, and a
 * Space token after it.
 */
import { MainspringError, spaceIdProblem } from "@mainspring/kernel";

export type SpaceRight = "read" | "write" | "*";

/**
 * `lenient`: anybody on a public Space, whatever token comes along; else the right to read. `public`: the same, but a valid
 * token binds its bearer to its labels. `read`, `write`: a caller or a token with that very right. `management`: a CWT with
 * the right to write; no token. `full`: a CWT with every right. `admin`: the tenant's admin.
 */
export type AdmissionRule = "lenient" | "public" | "read" | "write" | "management" | "full" | "admin";

export interface MethodRule {
  readonly rule: AdmissionRule;
  /** False: a token that is bound to labels is refused. Default true. */
  readonly labelled?: boolean;
}

export const METHOD_RULES = {
  GetSpace: { rule: "lenient" },
  UpdateSpace: { rule: "management" },
  UpdateSpaceTier: { rule: "admin" },
  MoveSpace: { rule: "admin" },
  DeleteSpace: { rule: "admin" },
  VerifySpace: { rule: "admin" },
  DumpSpace: { rule: "admin" },
  ReadKip: { rule: "lenient", labelled: false },
  WriteKip: { rule: "full" },
  Probe: { rule: "lenient", labelled: false },
  PinMemory: { rule: "write" },
  ForgetMemory: { rule: "write" },
  ListAttention: { rule: "lenient", labelled: false },
  ListDrafts: { rule: "lenient", labelled: false },
  PromoteDraft: { rule: "management" },
  GetOrInitUser: { rule: "write" },
  GetFormationStatus: { rule: "lenient" },
  Remember: { rule: "write" },
  Recall: { rule: "public", labelled: false },
  ListConversations: { rule: "public", labelled: false },
  GetConversation: { rule: "public", labelled: false },
  GetConversationDelta: { rule: "public", labelled: false },
  ListSpaceTokens: { rule: "management" },
  AddSpaceToken: { rule: "management" },
  RevokeSpaceToken: { rule: "management" },
} as const satisfies Record<string, MethodRule>;
export type SpaceMethod = keyof typeof METHOD_RULES;

export interface Caller {
  /** Empty: nobody known. */
  readonly tenant: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

export interface AskedSpace {
  readonly id: string;
  readonly tenant: string;
  readonly public: boolean;
}

/** How a call was let in. `actor` is who it is recorded as. */
export interface Admitted {
  readonly actor: string;
  /** Nobody in particular, on a public Space. */
  readonly anonymous: boolean;
  /** Labels that a token is bound to; null: not bound. */
  readonly labels: readonly string[] | null;
  /** May do everything to the Space. */
  readonly full: boolean;
}

/** `token`: the Space's token decides. `orAnonymous`: without a valid one the caller is let in as nobody. */
export type Admission =
  | { readonly by: "caller"; readonly admitted: Admitted }
  | { readonly by: "token"; readonly right: SpaceRight; readonly orAnonymous: boolean };

export const ANONYMOUS_ACTOR = "anonymous";
const NOBODY: Admitted = { actor: ANONYMOUS_ACTOR, anonymous: true, labels: null, full: false };

/** `id` as the caller named it; what is no name of a Space is not repeated. */
export function spaceMissing(id: string): MainspringError {
  const named = spaceIdProblem(id) === null ? `: ${id}` : "";
  return new MainspringError("not_found", `space not found${named}`);
}

interface Identified {
  readonly id: string;
  readonly creation: string;
  readonly loading: boolean;
}

/** Throws `not_found` where the Space was removed since `given` was read. `now` is what the directory says. */
export function checkStillThere<Row extends Identified>(given: Row, now: Row | null): asserts now is Row {
  if (now?.creation !== given.creation || now.loading !== given.loading) throw spaceMissing(given.id);
}

/** What the caller may, as it says of itself; null: nothing is known of it. */
function rightsOf({ tenant, scopes }: Caller): ReadonlySet<string> | null {
  if (scopes.includes("admin") || scopes.includes("service")) return new Set(["*"]);
  const granted = scopes.filter((scope) => scope.startsWith("space:")).map((scope) => scope.slice("space:".length));
  if (scopes.includes("cwt") || granted.length > 0) return new Set(granted);
  return tenant === "" ? null : new Set(["read", "write"]);
}

const has = (rights: ReadonlySet<string>, right: SpaceRight): boolean => rights.has("*") || rights.has(right);

const STRANGER: Caller = { tenant: "", subject: "", scopes: [] };

/** Anybody may call it on a public Space. */
const isOpen = (method: SpaceMethod, space: AskedSpace): boolean =>
  space.public && (METHOD_RULES[method].rule === "lenient" || METHOD_RULES[method].rule === "public");

/**
 * Who the caller is to the Space. One of another tenant is nobody where anybody may come; else there is no such Space for it,
 * and this throws `not_found`.
 */
export function callerAt(method: SpaceMethod, caller: Caller, space: AskedSpace): Caller {
  if (caller.tenant === "" || caller.tenant === space.tenant) return caller;
  if (isOpen(method, space)) return STRANGER;
  throw spaceMissing(space.id);
}

/** Throws `permission_denied` or `unauthenticated`. The Space is one that the caller may know of. */
export function admit(method: SpaceMethod, caller: Caller, space: AskedSpace, token: string): Admission {
  const { rule } = METHOD_RULES[method];
  const rights = rightsOf(caller);
  const trusted = caller.scopes.includes("admin") || caller.scopes.includes("service");
  if (rule === "admin") {
    if (caller.scopes.includes("admin")) return byCaller(caller, true);
    throw rights === null ? unauthenticated(space, "of an admin") : denied("this needs an admin");
  }
  if (rule === "management" || rule === "full") {
    const right = rule === "full" ? "*" : "write";
    if (trusted || (caller.scopes.includes("cwt") && rights !== null && has(rights, right)))
      return byCaller(caller, trusted || rights?.has("*") === true);
    if (rights === null && token === "") throw unauthenticated(space, "that may write");
    throw denied(`this needs a CWT with the scope ${right === "*" ? "*" : "write or *"}, or an admin key`);
  }
  const open = isOpen(method, space);
  const right = rule === "write" ? "write" : "read";
  if (rights !== null) {
    if (has(rights, right)) return byCaller(caller, rights.has("*"));
    if (!open) throw denied(`the scope ${right} is missing`);
    return byCaller(caller, false);
  }
  if (open && (rule === "lenient" || token === "")) return { by: "caller", admitted: NOBODY };
  if (token === "") throw unauthenticated(space, `that may ${right}`);
  return { by: "token", right, orAnonymous: open };
}

function byCaller(caller: Caller, full: boolean): Admission {
  return { by: "caller", admitted: { actor: caller.subject, anonymous: false, labels: null, full } };
}

export interface KnownToken {
  readonly name: string;
  readonly scope: SpaceRight;
  readonly labels: readonly string[] | null;
  /** Unix ms, null: never. */
  readonly expiresAt: number | null;
}

/** What a token gives its bearer; `known` is null for one that the Space does not know. Throws as `admit` does. */
export function admitToken(
  admission: Extract<Admission, { readonly by: "token" }>,
  known: KnownToken | null,
  now: number,
): Admitted {
  const valid = known !== null && (known.expiresAt === null || known.expiresAt > now);
  const fits = valid && (known.scope === "*" || known.scope === admission.right);
  if (fits) return { actor: `st:${known.name}`, anonymous: false, labels: known.labels, full: false };
  if (admission.orAnonymous) return NOBODY;
  if (!valid)
    throw new MainspringError("unauthenticated", "this Space token is not valid", { reason: "invalid_token" });
  throw denied(`the token's scope is not ${admission.right}`);
}

/** Refuses who was let in by a token with labels where labels cannot be kept to. */
export function checkLabels(method: SpaceMethod, admitted: Admitted): void {
  const rule: MethodRule = METHOD_RULES[method];
  if (rule.labelled !== false || admitted.labels === null) return;
  const what =
    method === "Recall" ? "recall" : method.includes("Conversation") ? "reading conversations" : "reading memory";
  throw new MainspringError("permission_denied", `${what} requires an unrestricted token`, {
    reason: "token_restricted",
  });
}

function denied(why: string): MainspringError {
  return new MainspringError("permission_denied", why, { reason: "insufficient_scope" });
}

/** `which`: a credential that would do; on a Space that is not public any is asked for first. */
function unauthenticated(space: AskedSpace, which: string): MainspringError {
  const message = space.public ? `show a credential ${which}` : "this Space is not public: show a credential";
  return new MainspringError("unauthenticated", message, { reason: "missing_credential" });
}
