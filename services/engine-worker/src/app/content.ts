/** Moves large texts of items between events and the artifact store. */
import { MainspringError } from "@mainspring/kernel";
import type { TranscriptItem } from "../domain/items.ts";
import { INLINE_CHARS_MAX } from "../domain/items.ts";
import type { ContentStore } from "../ports/content-store.ts";

/** The fields of each item type that may grow. */
const FIELDS = {
  message: ["text"],
  reasoning: ["text", "signature"],
  function_call: ["arguments"],
  function_call_output: ["output"],
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
      let kept = await externaliseParts(content, tenant, item);
      for (const field of FIELDS[item.type]) {
        const text = (kept as unknown as Fields)[field] as string | undefined;
        if (text === undefined || text.length <= INLINE_CHARS_MAX) continue;
        kept = { ...kept, [field]: "", [`${field}_ref`]: await content.put(tenant, text) };
      }
      return kept;
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
    const { parts_ref: parts, ...rest } = item as unknown as Fields;
    let changed = typeof parts === "string";
    for (const field of FIELDS[item.type]) {
      const { [`${field}_ref`]: digest } = rest;
      if (typeof digest !== "string") continue;
      Reflect.deleteProperty(rest, `${field}_ref`);
      if (rest[field] === "") rest[field] = await fetchText(content, tenant, digest);
      changed = true;
    }
    if (typeof parts === "string") rest["parts"] = JSON.parse(await fetchText(content, tenant, parts)) as unknown;
    result.push(changed ? (rest as unknown as TranscriptItem) : item);
  }
  return result;
}

async function fetchText(content: ContentStore, tenant: string, digest: string): Promise<string> {
  const text = await content.get(tenant, digest);
  if (text === null) throw new MainspringError("data_loss", `the content ${digest} is missing`);
  return text;
}
