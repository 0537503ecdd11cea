/** Moves large texts of items between events and the artifact store. */
import { MainspringError } from "@mainspring/kernel";
import type { TranscriptItem } from "../domain/items.ts";
import { INLINE_CHARS_MAX } from "../domain/items.ts";
import type { ContentStore } from "../ports/content-store.ts";

/** The one field of each item type that may grow. */
const FIELD = {
  message: "text",
  reasoning: "text",
  function_call: "arguments",
  function_call_output: "output",
} as const;

type Fields = Record<string, unknown> & { type: TranscriptItem["type"] };

/** Items as events carry them: texts above `INLINE_CHARS_MAX` replaced by their digest. */
export async function externaliseItems(
  content: ContentStore,
  tenant: string,
  items: readonly TranscriptItem[],
): Promise<TranscriptItem[]> {
  return Promise.all(
    items.map(async (item) => {
      const kept = await externaliseParts(content, tenant, item);
      const field = FIELD[item.type];
      const text = (kept as unknown as Fields)[field] as string;
      if (text.length <= INLINE_CHARS_MAX) return kept;
      const digest = await content.put(tenant, text);
      return { ...kept, [field]: "", [`${field}_ref`]: digest };
    }),
  );
}

/** Images and files of a message, as one artifact when they are large. */
async function externaliseParts(content: ContentStore, tenant: string, item: TranscriptItem): Promise<TranscriptItem> {
  if (item.type !== "message" || item.parts === undefined) return item;
  const text = JSON.stringify(item.parts);
  if (text.length <= INLINE_CHARS_MAX) return item;
  const { parts: _parts, ...rest } = item;
  return { ...rest, parts_ref: await content.put(tenant, text) };
}

/**
 * Items as the model gets them. A text beside its reference is what the model is meant to see of it: a tool's output
 * that was too long. Rejects with `data_loss` when an artifact is gone.
 */
export async function hydrateItems(
  content: ContentStore,
  tenant: string,
  items: readonly TranscriptItem[],
): Promise<TranscriptItem[]> {
  const result: TranscriptItem[] = [];
  for (const item of items) {
    const field = FIELD[item.type];
    const { [`${field}_ref`]: digest, parts_ref: parts, ...rest } = item as unknown as Fields;
    const isMissing = typeof digest === "string" && rest[field] === "";
    if (isMissing) rest[field] = await fetchText(content, tenant, digest);
    if (typeof parts === "string") rest["parts"] = JSON.parse(await fetchText(content, tenant, parts)) as unknown;
    const changed = typeof digest === "string" || typeof parts === "string";
    result.push(changed ? (rest as unknown as TranscriptItem) : item);
  }
  return result;
}

async function fetchText(content: ContentStore, tenant: string, digest: string): Promise<string> {
  const text = await content.get(tenant, digest);
  if (text === null) throw new MainspringError("data_loss", `the content ${digest} is missing`);
  return text;
}
