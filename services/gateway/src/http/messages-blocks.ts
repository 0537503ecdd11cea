/** Content blocks of the Messages API, and the items that they become. */
import { z } from "zod";

import { present } from "../domain/asked.ts";
import type { EngineItem } from "../domain/asked.ts";

export const textBlock = z.object({ type: z.literal("text"), text: z.string() });
const source = z.union([
  z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.object({ type: z.literal("url"), url: z.string() }),
  z.object({ type: z.literal("file"), file_id: z.string() }),
  z.object({ type: z.literal("text"), data: z.string() }),
]);
const imageBlock = z.object({ type: z.literal("image"), source });
const documentBlock = z.object({ type: z.literal("document"), source, title: z.string().nullish() });
const shown = z.discriminatedUnion("type", [textBlock, imageBlock, documentBlock], {
  error: "must be a block of type text, image or document",
});
const toolResult = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(shown)]).nullish(),
  is_error: z.boolean().nullish(),
});
export const userBlock = z.discriminatedUnion("type", [textBlock, imageBlock, documentBlock, toolResult], {
  error: "must be a block of type text, image, document or tool_result",
});
export const assistantBlock = z.discriminatedUnion(
  "type",
  [
    textBlock,
    z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().default("") }),
    z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
    z.object({
      type: z.literal("tool_use"),
      id: z.string().min(1),
      name: z.string().min(1),
      input: z.record(z.string(), z.unknown()),
    }),
  ],
  { error: "must be a block of type text, thinking, redacted_thinking or tool_use" },
);

type Shown = z.infer<typeof shown>;
type Source = z.infer<typeof source>;

/** Texts of one message stand in lines of their own. */
export function textOfBlocks(content: string | readonly { readonly text: string }[]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("\n");
}

export function userItems(blocks: readonly z.infer<typeof userBlock>[]): EngineItem[] {
  const items: EngineItem[] = [];
  const said: Shown[] = [];
  for (const block of blocks) {
    if (block.type !== "tool_result") {
      said.push(block);
      continue;
    }
    const content = typeof block.content === "string" ? [textPart(block.content)] : (block.content ?? []);
    const text = textOfBlocks(content.filter((part) => part.type === "text"));
    const output = block.is_error === true ? `The call failed: ${text}` : text;
    items.push({ type: "function_call_output", call_id: block.tool_use_id, output });
    // A result is a text: what else it shows is said by the user.
    said.push(...content.filter((part) => part.type !== "text"));
  }
  return said.length === 0 && items.length > 0 ? items : [...items, userMessage(said)];
}

export function assistantItems(blocks: readonly z.infer<typeof assistantBlock>[]): EngineItem[] {
  return blocks.map((block): EngineItem => {
    switch (block.type) {
      case "text":
        return { type: "message", role: "assistant", text: block.text };
      case "thinking":
        return {
          type: "reasoning",
          text: block.thinking,
          ...(block.signature === "" ? {} : { signature: block.signature }),
        };
      case "redacted_thinking":
        return { type: "reasoning", text: "", signature: block.data, redacted: true };
      case "tool_use":
        return { type: "function_call", call_id: block.id, name: block.name, arguments: JSON.stringify(block.input) };
    }
  });
}

function userMessage(blocks: readonly Shown[]): EngineItem {
  const texts = blocks.flatMap((block) => {
    if (block.type === "text") return [block];
    return block.source.type === "text" ? [textPart(block.source.data)] : [];
  });
  const parts = blocks.flatMap((block) => {
    if (block.type === "text" || block.source.type === "text") return [];
    return [block.type === "image" ? imagePart(block.source) : filePart(block.source, block.title ?? "document")];
  });
  return { type: "message", role: "user", text: textOfBlocks(texts), ...(parts.length === 0 ? {} : { parts }) };
}

function textPart(text: string): z.infer<typeof textBlock> {
  return { type: "text", text };
}

/** In the shapes of the Responses API, as all parts lie in the log. */
function imagePart(from: Exclude<Source, { type: "text" }>): object {
  if (from.type === "file") return { type: "input_image", file_id: from.file_id };
  return { type: "input_image", image_url: from.type === "url" ? from.url : dataUrl(from) };
}

function filePart(from: Exclude<Source, { type: "text" }>, filename: string): object {
  const given = {
    file_id: from.type === "file" ? from.file_id : undefined,
    file_url: from.type === "url" ? from.url : undefined,
    ...(from.type === "base64" ? { filename, file_data: dataUrl(from) } : {}),
  };
  return { type: "input_file", ...present(given) };
}

function dataUrl({ media_type, data }: { readonly media_type: string; readonly data: string }): string {
  return `data:${media_type};base64,${data}`;
}
