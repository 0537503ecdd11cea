import type { Statement } from "./ast.ts";
import { formerSpelling, MUTATION_WORDS, parseDefine, parseMutate, parseMutation } from "./parse-kml.ts";
import { parseFind } from "./parse-kql.ts";
import { acceptMeta, META_WORDS } from "./parse-meta.ts";
import { TokenStream } from "./token-stream.ts";

function parseStatement(stream: TokenStream): Statement {
  if (stream.isWord("FIND")) return parseFind(stream);
  if (stream.isWord("MUTATE")) return parseMutate(stream);
  if (stream.isWord("DEFINE")) return parseDefine(stream);
  const meta = acceptMeta(stream);
  if (meta !== undefined) return meta;
  const token = stream.peek();
  const known = MUTATION_WORDS.some((word) => stream.isWord(word)) || formerSpelling(token.text) !== undefined;
  if (token.kind === "word" && known) return parseMutation(stream);
  throw stream.unexpected(["FIND", "MUTATE", "DEFINE", ...MUTATION_WORDS, ...META_WORDS]);
}

/** One command as a tree. Throws `InvalidSyntax` with the position and what was expected there. */
export function parse(command: string): Statement {
  const stream = new TokenStream(command);
  const statement = parseStatement(stream);
  if (stream.peek().kind !== "end") throw stream.unexpected(["the end of the command"]);
  return statement;
}
