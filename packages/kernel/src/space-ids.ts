/**
 * Names of Spaces. A Space's routes begin with its name (`/v1/{space}/…`), so no Space may be called like a route of the
 * public API. The list has what is served and what is kept free for later.
 */
export const SPACE_ID_CHARS_MAX = 64;
const SPACE_ID = /^[a-z0-9_]{1,64}$/;

/** First segments below `/v1` that are no Spaces. */
export const RESERVED_SPACE_IDS: ReadonlySet<string> = new Set([
  "admin",
  "agents",
  "approvals",
  "artifacts",
  "assistants",
  "audio",
  "batches",
  "chat",
  "completions",
  "conversations",
  "embeddings",
  "experiments",
  "files",
  "images",
  "info",
  "keys",
  "mcp",
  "mcp-servers",
  "messages",
  "models",
  "moderations",
  "plugins",
  "providers",
  "responses",
  "runs",
  "runtime",
  "sessions",
  "skills",
  "spaces",
  "threads",
  "tools",
  "traces",
  "usage",
  "wiki",
]);

/** Why a new Space cannot have this id, as the rest of a sentence; null when it can. */
export function spaceIdProblem(id: string): string | null {
  if (!SPACE_ID.test(id)) return `must be 1 to ${SPACE_ID_CHARS_MAX} of a-z, 0-9 and _`;
  return RESERVED_SPACE_IDS.has(id) ? `${id} is the name of a route; choose another` : null;
}
