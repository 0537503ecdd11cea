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
      const field = FIELD[item.type];
      const text = (item as unknown as Fields)[field] as string;
      if (text.length <= INLINE_CHARS_MAX) return item;
      const digest = await content.put(tenant, text);
      return { ...item, [field]: "", [`${field}_ref`]: digest };
    }),
  );
}

/** Items as the model gets them. Rejects with `data_loss` when an artifact is gone. */
export async function hydrateItems(
  content: ContentStore,
  tenant: string,
  items: readonly TranscriptItem[],
): Promise<TranscriptItem[]> {
  const result: TranscriptItem[] = [];
  for (const item of items) {
    const field = FIELD[item.type];
    const { [`${field}_ref`]: digest, ...rest } = item as unknown as Fields;
    if (typeof digest !== "string") {
      result.push(item);
      continue;
    }
    const text = await content.get(tenant, digest);
    if (text === null) throw new MainspringError("data_loss", `the content ${digest} is missing`);
    result.push({ ...rest, [field]: text } as unknown as TranscriptItem);
  }
  return result;
}
