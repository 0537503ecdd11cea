import { readState, writeState } from "../files/session-state.ts";
import type { Tool } from "../../ports/tool.ts";

export const TODO_ITEMS_MAX = 200;
const CONTENT_CHARS_MAX = 1_000;
const STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;

interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: (typeof STATUSES)[number];
}

interface TodoArguments {
  readonly op: "read" | "set" | "update";
  readonly items: readonly (Pick<TodoItem, "id"> & Partial<TodoItem>)[];
}

export const todoTool: Tool = {
  name: "todo",
  description:
    "Keeps the to-do list of this session. read: the list. set: replaces it. update: changes the items named (status, " +
    "content) and adds those that are new. Returns the list.",
  parameters: {
    type: "object",
    properties: {
      op: { type: "string", enum: ["read", "set", "update"], default: "read" },
      items: {
        type: "array",
        maxItems: TODO_ITEMS_MAX,
        default: [],
        items: {
          type: "object",
          properties: {
            id: { type: "string", minLength: 1, maxLength: 200 },
            content: { type: "string", maxLength: CONTENT_CHARS_MAX },
            status: { type: "string", enum: STATUSES },
          },
          required: ["id"],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  // Each operation says what is to be there afterwards.
  recovery: "idempotent",
  // Two at once would lose what one of them wrote.
  exclusive: true,
  timeoutMs: 30_000,
  async execute(args, context) {
    const { op, items } = args as unknown as TodoArguments;
    const workspace = await context.workspace();
    const before = ((await readState(workspace, "todo")) ?? []) as readonly TodoItem[];
    if (op === "read") return { items: before };
    const list = new Map(op === "set" ? [] : before.map((item) => [item.id, item]));
    for (const { id, content, status } of items) {
      const known = list.get(id);
      list.set(id, { id, content: content ?? known?.content ?? "", status: status ?? known?.status ?? "pending" });
    }
    if (list.size > TODO_ITEMS_MAX) {
      return { success: false, problem: `a list has at most ${TODO_ITEMS_MAX} items. Nothing was saved.` };
    }
    const after = [...list.values()];
    await writeState(workspace, "todo", after);
    return { success: true, items: after };
  },
};
