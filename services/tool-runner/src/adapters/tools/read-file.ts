import { readRegularFile } from "../files/regular-file.ts";
import type { Tool } from "../../ports/tool.ts";

/** Bytes of a file that one call returns: what is longer would be cut on its way to the model. */
export const CONTENT_BYTES_MAX = 24 * 1024;

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  json: "application/json",
  html: "text/html",
  css: "text/css",
  csv: "text/csv",
  md: "text/markdown",
  txt: "text/plain",
};

interface ReadFileArguments {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

export const readFileTool: Tool = {
  name: "read_file",
  description:
    "Reads a file of the workspace: text by lines, anything else as base64. Returns the content, the size in bytes, " +
    "the number of lines, and `truncated` with `next_offset` when there is more to read.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path within the workspace." },
      offset: { type: "integer", minimum: 0, default: 0, description: "Lines to leave out at the beginning." },
      limit: { type: "integer", minimum: 0, default: 0, description: "Lines to read; 0 for all that are left." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  recovery: "replay_safe",
  exclusive: false,
  timeoutMs: 30_000,
  async execute(args, context) {
    const { path, offset, limit } = args as unknown as ReadFileArguments;
    const bytes = await readRegularFile(await context.workspace(), path);
    const mimeType = MIME_TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
    const about = { size: bytes.length, ...(mimeType === undefined ? {} : { mime_type: mimeType }) };
    const text = decoded(bytes);
    return text === null ? { ...binary(bytes), ...about } : { ...page(text, offset, limit), ...about };
  },
};

/** Null for bytes that are no UTF-8 text. */
function decoded(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function binary(bytes: Buffer): object {
  // A multiple of three, so that parts of base64 could be put together.
  const part = bytes.subarray(0, Math.floor((CONTENT_BYTES_MAX * 3) / 4 / 3) * 3);
  return { content: part.toString("base64"), encoding: "base64", truncated: part.length < bytes.length };
}

function page(text: string, offset: number, limit: number): object {
  const lines = linesOf(text);
  const wanted = lines.slice(offset, limit === 0 ? undefined : offset + limit);
  const taken: string[] = [];
  let bytes = 0;
  for (const line of wanted) {
    bytes += Buffer.byteLength(line);
    if (bytes > CONTENT_BYTES_MAX) break;
    taken.push(line);
  }
  const about = { encoding: "utf8", total_lines: lines.length };
  // One line that is longer than a page: its beginning.
  if (taken.length === 0 && wanted.length > 0) {
    const content = beginningOf(wanted[0]!);
    return { content, ...about, truncated: true, line_truncated: true, next_offset: offset + 1 };
  }
  const next = offset + taken.length;
  return {
    content: taken.join(""),
    ...about,
    truncated: next < lines.length,
    ...(next < lines.length ? { next_offset: next } : {}),
  };
}

/** With their ends, so that together they are the text. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function beginningOf(line: string): string {
  return new TextDecoder().decode(Buffer.from(line).subarray(0, CONTENT_BYTES_MAX)).replace(/\uFFFD$/, "");
}
