import { replaceFile } from "../files/regular-file.ts";
import { ToolFailure } from "../../ports/tool.ts";
import type { Tool } from "../../ports/tool.ts";

const ENCODINGS = ["utf8", "base64", "utf16le", "latin1", "ascii"] as const;
type Encoding = (typeof ENCODINGS)[number];

interface WriteFileArguments {
  readonly path: string;
  readonly content: string;
  readonly encoding: Encoding;
}

export const writeFileTool: Tool = {
  name: "write_file",
  description:
    "Writes a file of the workspace, whole: what was in it is replaced. Directories that are missing are made. " +
    "Returns the size in bytes.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path within the workspace." },
      content: { type: "string", description: "All of the file." },
      encoding: { type: "string", enum: ENCODINGS, default: "utf8", description: "How the content becomes bytes." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  // Writing the same content again changes nothing.
  recovery: "idempotent",
  exclusive: false,
  timeoutMs: 30_000,
  async execute(args, context) {
    const { path, content, encoding } = args as unknown as WriteFileArguments;
    const bytes = encoded(content, encoding);
    await replaceFile(await context.workspace(), path, bytes);
    return { size: bytes.length };
  },
};

/** Fails for characters that the encoding does not have, instead of writing others. */
function encoded(content: string, encoding: Encoding): Buffer {
  if (encoding === "base64") {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) throw new ToolFailure("The content is not valid base64.");
    return Buffer.from(content, "base64");
  }
  if (encoding === "utf8" && !content.isWellFormed()) {
    throw new ToolFailure("The content holds half a character (a lone surrogate) and cannot be written.");
  }
  const most = encoding === "ascii" ? 0x7f : encoding === "latin1" ? 0xff : Infinity;
  for (const character of most === Infinity ? "" : content) {
    if (character.codePointAt(0)! > most) {
      throw new ToolFailure(`The character ${JSON.stringify(character)} does not exist in ${encoding}.`);
    }
  }
  return Buffer.from(content, encoding);
}
