export type TokenKind = "word" | "variable" | "parameter" | "string" | "number" | "punctuation" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The word, the name without its sigil, the punctuation, or the source text of a number. */
  readonly text: string;
  /** The value of a string or number. */
  readonly value: string | number | undefined;
  readonly start: number;
  readonly end: number;
}

/** How a token is named in a message. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case "end":
      return "the end of the command";
    case "variable":
      return `variable ?${token.text}`;
    case "parameter":
      return `parameter :${token.text}`;
    case "string":
      return `string ${JSON.stringify(token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text)}`;
    case "number":
      return `number ${token.text}`;
    case "word":
    case "punctuation":
      return `"${token.text}"`;
  }
}
