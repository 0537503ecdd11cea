/** The tools that ship. */
import type { Sandbox } from "../../ports/sandbox.ts";
import type { Tool } from "../../ports/tool.ts";
import { calculatorTool } from "./calculator.ts";
import { editFileTool } from "./edit-file.ts";
import { noteTool } from "./note.ts";
import { readFileTool } from "./read-file.ts";
import { searchFileTool } from "./search-file.ts";
import { shellTool } from "./shell.ts";
import { todoTool } from "./todo.ts";
import { writeFileTool } from "./write-file.ts";

export function builtInTools(
  sandbox: Sandbox,
  keep: (tenant: string, bytes: Uint8Array) => Promise<string>,
): readonly Tool[] {
  const files = [readFileTool, writeFileTool, editFileTool, searchFileTool];
  return [...files, shellTool(sandbox, keep), calculatorTool, noteTool, todoTool];
}
