import type { Mutation, Statement } from "./ast.ts";

export type Language = "KQL" | "KML" | "META";
export interface Classification {
  readonly language: Language;
  readonly writes: boolean;
  /** The statement kinds inside, one entry for each, in order. DEFINE is the only one of its own. */
  readonly statements: readonly (Mutation | Extract<Statement, { k: "define" }>)[];
}

/** What a command is, decided by what it parsed to and never by its label. */
export function classify(node: Statement): Classification {
  switch (node.k) {
    case "find":
      return { language: "KQL", writes: false, statements: [] };
    case "describe":
    case "list":
    case "search_command":
    case "history":
    case "changes":
    case "inspect":
    case "export":
      return { language: "META", writes: false, statements: [] };
    case "mutate":
      return { language: "KML", writes: true, statements: node.statements };
    default:
      return { language: "KML", writes: true, statements: [node] };
  }
}
