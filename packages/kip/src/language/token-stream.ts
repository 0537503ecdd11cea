import { KipError } from "../kip-error.ts";
import { EXPRESSION_OPERATORS_MAX, NESTING_DEPTH_MAX } from "../limits.ts";
import { nearest } from "@mainspring/kernel";
import { tokenize } from "./lexer.ts";
import { describeToken, type Token } from "./token.ts";

/** The tokens of one command with a position in them; every read past a token moves on, so parsing always ends. */
export class TokenStream {
  readonly #text: string;
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;
  #expressionDepth = 0;
  #operators = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.#at++;
    return token;
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && token.text.length === word.length && token.text.toUpperCase() === word;
  }

  /** Takes the words given, all or none of them. */
  acceptWords(...words: string[]): boolean {
    if (!words.every((word, index) => this.isWord(word, index))) return false;
    this.#at += words.length;
    return true;
  }

  expectWords(...words: string[]): void {
    for (const word of words) if (!this.acceptWords(word)) throw this.unexpected([word]);
  }

  isPunctuation(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "punctuation" && token.text === text;
  }

  acceptPunctuation(text: string): boolean {
    if (!this.isPunctuation(text)) return false;
    this.#at++;
    return true;
  }

  expectPunctuation(text: string): Token {
    if (!this.isPunctuation(text)) throw this.unexpected([`"${text}"`]);
    return this.next();
  }

  /** The colon after a member's name. `{a:true}` reads as the parameter `:true` at first; here it is split again. */
  expectColon(): void {
    const token = this.peek();
    if (token.kind === "parameter") {
      this.#tokens[this.#at] = { ...token, kind: "word", start: token.start + 1 };
      return;
    }
    this.expectPunctuation(":");
  }

  /** Runs `read` one level deeper. */
  nested<T>(read: () => T): T {
    if (++this.#depth > NESTING_DEPTH_MAX) {
      throw new KipError("ResourceExhausted", `a command nests at most ${NESTING_DEPTH_MAX} deep`, {
        offset: this.peek().start,
        details: { limit: "nesting_depth", max: NESTING_DEPTH_MAX },
      });
    }
    const result = read();
    this.#depth--;
    return result;
  }

  /** Runs `read` for an expression; operators are counted over an outermost one. */
  expression<T>(read: () => T): T {
    if (this.#expressionDepth++ === 0) this.#operators = 0;
    const result = read();
    this.#expressionDepth--;
    return result;
  }

  /** Chains lean to the left without nesting, so their length is bounded too: every tree stays shallow enough to walk. */
  countOperator(): void {
    if (++this.#operators <= EXPRESSION_OPERATORS_MAX) return;
    throw new KipError("ResourceExhausted", `an expression has at most ${EXPRESSION_OPERATORS_MAX} operators`, {
      offset: this.peek().start,
      details: { limit: "expression_operators", max: EXPRESSION_OPERATORS_MAX },
    });
  }

  /** `open item, item close`; an empty list is allowed where `emptyAllowed`. */
  list<T>(open: string, close: string, item: () => T, emptyAllowed: boolean): T[] {
    return this.nested(() => {
      this.expectPunctuation(open);
      const items: T[] = [];
      if (emptyAllowed && this.acceptPunctuation(close)) return items;
      do items.push(item());
      while (this.acceptPunctuation(","));
      if (!this.acceptPunctuation(close)) throw this.unexpected(['","', `"${close}"`]);
      return items;
    });
  }

  /** `{ item item }`: items without commas, as in WHERE. */
  block<T>(item: () => T): T[] {
    return this.nested(() => {
      this.expectPunctuation("{");
      const items: T[] = [];
      while (!this.acceptPunctuation("}")) {
        if (this.isPunctuation(",")) {
          throw this.error("items of this block are separated by white space, not by commas", "Leave the comma out.");
        }
        items.push(item());
      }
      return items;
    });
  }

  /** What stood there, what was expected instead, and the expected word nearest to what was written. */
  unexpected(expected: readonly string[]): KipError {
    const token = this.peek();
    const words = expected.filter((name) => /^[A-Z]/.test(name));
    const near = token.kind === "word" ? nearest(token.text, words) : undefined;
    const list = expected.length === 1 ? expected[0]! : `${expected.slice(0, -1).join(", ")} or ${expected.at(-1)!}`;
    const meant = near === undefined ? "" : `; did you mean ${near}?`;
    return this.error(`expected ${list}, found ${describeToken(token)}${meant}`, undefined, {
      expected: [...expected],
      ...(near === undefined ? {} : { nearest: near }),
    });
  }

  error(message: string, hint?: string, details: Record<string, string | string[]> = {}): KipError {
    const offset = this.peek().start;
    const before = this.#text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    return new KipError("InvalidSyntax", `line ${line}, column ${column}: ${message}`, {
      offset,
      details: { line, column, ...details },
      ...(hint === undefined ? {} : { hint }),
    });
  }
}
