/** Images and files of a message as content blocks of the Messages API. */
import type { Json } from "./chat-request.ts";
import { isRecord } from "./items.ts";

/** What is not known is passed on as it is, for the provider to judge. */
export function mediaBlock(part: unknown): Json {
  if (!isRecord(part)) return { type: "text", text: String(part) };
  const { type, image_url: image, file_id, file_data, file_url, filename, text } = part;
  switch (type) {
    case "input_text":
      return { type: "text", text };
    case "input_image":
      return { type: "image", source: sourceOf(isRecord(image) ? image["url"] : image, file_id) };
    case "input_file":
      return {
        type: "document",
        source: sourceOf(file_data ?? file_url, file_id),
        ...(typeof filename === "string" ? { title: filename } : {}),
      };
    default:
      return { ...part };
  }
}

/** Data stands in a data URL here and beside its type there. */
function sourceOf(url: unknown, fileId: unknown): Json {
  if (typeof url !== "string") return { type: "file", file_id: fileId };
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return data === undefined ? { type: "url", url } : { type: "base64", media_type: mediaType, data };
}
