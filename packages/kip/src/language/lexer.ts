/**
 * Text to tokens, in one pass that always moves forward. Keywords are ordinary words here; the parser compares them
 * without regard to ASCII case. `:name` is a parameter, and the parser splits it again where a member's colon stands.
 */
import { COMMAND_BYTES_MAX } from "../limits.ts";
import { KipError } from "../kip-error.ts";
import type { Token } from "./token.ts";

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /(?:[ \t\r\n]+|\/\/[^\n]*)+/y;
/** Everything from U+0020 on but the quotation mark and the reverse solidus. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const HEX4 = /[0-9A-Fa-f]{4}/y;
const PAIRS = ["==", "!=", "<=", ">=", "&&", "||"];
const SINGLES = "(){}[],.:|<>!-";
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const fail = (message: string, offset: number, hint?: string): KipError =>
  new KipError("InvalidSyntax", message, { offset, ...(hint === undefined ? {} : { hint }) });

/** Length in UTF-8 bytes, counted without encoding. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes++;
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++;
  }
  return bytes;
}

function readEscape(text: string, at: number): { readonly value: string; readonly length: number } {
  const mark = text[at + 1];
  if (mark === "u") {
    const hex = match(HEX4, text, at + 2);
    if (hex === undefined) throw fail("\\u needs four hexadecimal digits", at);
    return { value: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 };
  }
  const value = mark === undefined ? undefined : ESCAPES[mark];
  if (value === undefined)
    throw fail(`\\${mark ?? ""} is not an escape`, at, 'Escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX.');
  return { value, length: 2 };
}

function readString(text: string, start: number): Token {
  let at = start + 1;
  let value = "";
  for (;;) {
    const plain = match(PLAIN, text, at) ?? "";
    value += plain;
    at += plain.length;
    const next = text[at];
    if (next === '"') break;
    if (next === undefined) throw fail("the string is not closed", start, 'Close it with ".');
    if (next !== "\\") throw fail("a control character must be escaped inside a string", at);
    const escape = readEscape(text, at);
    value += escape.value;
    at += escape.length;
  }
  if (!value.isWellFormed()) throw fail("the string holds a lone surrogate", start);
  return { kind: "string", text: value, value, start, end: at + 1 };
}

/** A number of the language: finite, integers within ±(2^53 − 1), and no underflow to zero. */
export function checkNumber(spelling: string, offset: number): number {
  const value = Number(spelling);
  if (!Number.isFinite(value)) throw fail(`${spelling} is too large`, offset);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw fail(`${spelling} lies outside ±9007199254740991`, offset, "Write a number that large as a string.");
  }
  if (value === 0 && /[1-9]/.test(spelling.split(/[eE]/)[0]!))
    throw fail(`${spelling} is too small and would become 0`, offset);
  return value === 0 ? 0 : value;
}

function readNumber(text: string, start: number): Token {
  const spelling = match(NUMBER, text, start);
  if (spelling === undefined) throw fail('"-" must be followed by a digit here', start);
  const end = start + spelling.length;
  if (match(WORD, text, end) !== undefined || /[0-9]/.test(text[end] ?? "")) {
    throw fail(`a number cannot continue with ${JSON.stringify(text[end])}`, end, "Numbers are written as in JSON.");
  }
  return { kind: "number", text: spelling, value: checkNumber(spelling, start), start, end };
}

function readPunctuation(text: string, start: number): Token {
  const pair = text.slice(start, start + 2);
  const found = PAIRS.includes(pair) ? pair : text[start]!;
  if (found.length === 1 && !SINGLES.includes(found)) {
    const hint =
      found === "="
        ? "Comparison is written == and assignment is written key: value."
        : found === ";"
          ? "One command is one statement; leave the ; out."
          : found === "'"
            ? 'Strings are written with ".'
            : found === "&"
              ? "Conjunction is written &&."
              : undefined;
    throw fail(`unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(start)!))}`, start, hint);
  }
  return { kind: "punctuation", text: found, value: undefined, start, end: start + found.length };
}

function readToken(text: string, start: number): Token {
  const first = text[start]!;
  if (first === '"') return readString(text, start);
  if (first === "?" || first === ":") {
    const name = match(WORD, text, start + 1);
    if (name !== undefined) {
      const kind = first === "?" ? "variable" : "parameter";
      return { kind, text: name, value: undefined, start, end: start + 1 + name.length };
    }
    if (first === "?") throw fail('"?" must be followed by a variable name', start);
  }
  const word = match(WORD, text, start);
  if (word !== undefined) return { kind: "word", text: word, value: undefined, start, end: start + word.length };
  if (/[0-9]/.test(first) || (first === "-" && /[0-9]/.test(text[start + 1] ?? ""))) return readNumber(text, start);
  return readPunctuation(text, start);
}

/** All tokens of a command, the last of kind `end`. */
export function tokenize(text: string): Token[] {
  if (text.length > COMMAND_BYTES_MAX || utf8Length(text) > COMMAND_BYTES_MAX) {
    throw new KipError("ResourceExhausted", `a command holds at most ${COMMAND_BYTES_MAX} bytes`, {
      details: { limit: "command_bytes", max: COMMAND_BYTES_MAX },
    });
  }
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += match(SPACE, text, at)?.length ?? 0;
    if (at >= text.length) break;
    const token = readToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: "end", text: "", value: undefined, start: text.length, end: text.length });
  return tokens;
}
