import { matchesGlob } from "node:path";

import { existingPath, shownPath } from "../files/contained-path.ts";
import { walk } from "../files/walk.ts";
import type { Tool } from "../../ports/tool.ts";

export const PATHS_DEFAULT = 1_000;
/** Files and directories that one search looks at. */
export const SCANNED_MAX = 10_000;

interface SearchFileArguments {
  readonly pattern: string;
  readonly limit: number;
}

export const searchFileTool: Tool = {
  name: "search_file",
  description:
    "Finds files of the workspace by a glob pattern, e.g. `**/*.ts`, `src/*.{js,json}` or `notes-?.md`. Returns their " +
    "paths, how many match, and whether the search stopped before it had seen everything.",
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 1_000, description: "Glob; `**` crosses directories." },
      limit: { type: "integer", minimum: 1, maximum: SCANNED_MAX, default: PATHS_DEFAULT, description: "Most paths." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  recovery: "replay_safe",
  exclusive: false,
  timeoutMs: 60_000,
  async execute(args, context) {
    const { pattern, limit } = args as unknown as SearchFileArguments;
    const { directory } = await context.workspace();
    const root = await existingPath(directory, ".");
    const glob = pattern.replace(/^(\.\/|\/workspace\/)/, "");
    const found = new Set<string>();
    let scanned = 0;
    for await (const { path, entry } of walk(root)) {
      scanned += 1;
      if (scanned > SCANNED_MAX || context.signal.aborted) break;
      if (entry.isDirectory() || !matchesGlob(path, glob)) continue;
      // A link counts as what it leads to, if that is inside.
      const real = entry.isSymbolicLink() ? await existingPath(root, path).catch(() => null) : `${root}/${path}`;
      if (real !== null) found.add(entry.isSymbolicLink() ? shownPath(root, real) : path);
    }
    const paths = [...found].slice(0, limit);
    return { paths, total_matches: found.size, scan_truncated: scanned > SCANNED_MAX };
  },
};
