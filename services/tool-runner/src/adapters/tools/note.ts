import { readState, writeState } from "../files/session-state.ts";
import type { Tool } from "../../ports/tool.ts";

/** Characters of all notes of a session together, ids included. */
export const NOTES_CHARS_MAX = 16_384;
const ITEMS_MAX = 1_000;

interface Note {
  readonly id: string;
  readonly content: string;
}

interface NoteArguments {
  readonly op: "read" | "set" | "upsert" | "delete";
  readonly items: readonly { readonly id: string; readonly content: string }[];
}

export const noteTool: Tool = {
  name: "note",
  description:
    "Keeps notes for the rest of this session. read: all notes. set: replaces all of them. upsert: adds or replaces " +
    `those named. delete: removes those named. All notes together have at most ${NOTES_CHARS_MAX} characters.`,
  parameters: {
    type: "object",
    properties: {
      op: { type: "string", enum: ["read", "set", "upsert", "delete"], default: "read" },
      items: {
        type: "array",
        maxItems: ITEMS_MAX,
        default: [],
        items: {
          type: "object",
          properties: {
            id: { type: "string", minLength: 1, maxLength: 200 },
            content: { type: "string", default: "" },
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
    const { op, items } = args as unknown as NoteArguments;
    const workspace = await context.workspace();
    const before = ((await readState(workspace, "notes")) ?? []) as readonly Note[];
    if (op === "read") return { notes: before };
    const notes = new Map(op === "set" ? [] : before.map(({ id, content }) => [id, content]));
    for (const { id, content } of items) {
      if (op === "delete") notes.delete(id);
      else notes.set(id, content);
    }
    const after: Note[] = [...notes].map(([id, content]) => ({ id, content }));
    const characters = after.reduce((sum, { id, content }) => sum + id.length + content.length, 0);
    if (characters > NOTES_CHARS_MAX) {
      const problem = `the notes would have ${characters} characters; at most ${NOTES_CHARS_MAX} are kept. Nothing was saved.`;
      return { success: false, problem };
    }
    await writeState(workspace, "notes", after);
    return { success: true, notes: after.length, characters };
  },
};
