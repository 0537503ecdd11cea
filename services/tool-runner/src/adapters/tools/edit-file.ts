import { readRegularFile, replaceFile } from "../files/regular-file.ts";
import { ToolFailure } from "../../ports/tool.ts";
import type { Tool } from "../../ports/tool.ts";

interface EditFileArguments {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly limit: number;
}

export const editFileTool: Tool = {
  name: "edit_file",
  description:
    "Replaces text in a file of the workspace. The old text must match exactly, white space included. Returns how " +
    "often it was found and replaced; not to find it is no error.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path within the workspace." },
      old_string: { type: "string", minLength: 1, description: "Text to be replaced." },
      new_string: { type: "string", description: "Text to put in its place." },
      limit: { type: "integer", minimum: 0, default: 0, description: "Replace the first so many only; 0 for all." },
    },
    required: ["path", "old_string", "new_string"],
    additionalProperties: false,
  },
  // Where the new text holds the old one, a second time does more than the first.
  recovery: "never_retry",
  // Two edits of one file at once would lose one of them.
  exclusive: true,
  timeoutMs: 30_000,
  async execute(args, context) {
    const { path, old_string, new_string, limit } = args as unknown as EditFileArguments;
    const workspace = await context.workspace();
    const bytes = await readRegularFile(workspace, path);
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new ToolFailure(`${path} is not UTF-8 text.`);
    }
    const parts = text.split(old_string);
    const found = parts.length - 1;
    const replaced = limit === 0 ? found : Math.min(limit, found);
    const result = [parts.slice(0, replaced + 1).join(new_string), ...parts.slice(replaced + 1)].join(old_string);
    if (replaced > 0) await replaceFile(workspace, path, Buffer.from(result));
    return { replacements: replaced, total_matches: found, size: Buffer.byteLength(result) };
  },
};
