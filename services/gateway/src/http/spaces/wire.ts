/** Bodies of memory routes: JSON, CBOR or text in; what `Accept` asks for out. */
import { isUtf8 } from "node:buffer";

import { checkJson, JSON_DEPTH_MAX, MainspringError } from "@mainspring/kernel";
import { decode, encode, Tokenizer, Type } from "cborg";
import type { Request, Response } from "express";
import { raw } from "express";

/** Largest body of a memory route, 3 MiB: it travels to the Space in one message of at most 4 MiB. */
export const SPACE_BODY_BYTES_MAX = 3 * 1024 * 1024;

/** Keeps the body as bytes, whatever its type says. */
export const readBytes = raw({ limit: SPACE_BODY_BYTES_MAX, type: () => true });

/** The body's value; undefined where there is none. `text`: what is no JSON counts as a string. */
export function bodyOf(request: Request, text: boolean): unknown {
  const bytes: unknown = request.body;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined;
  const type = (request.header("content-type") ?? "application/json").split(";")[0]!.trim().toLowerCase();
  if (type === "application/cbor") return fromCbor(bytes);
  const decoded = utf8(bytes);
  const isJson = /^application\/(?:.*\+)?json$/.test(type);
  return fromJson(decoded, text && !isJson);
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("the request body is not UTF-8");
  }
}

function fromJson(text: string, orText: boolean): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (orText) return text;
    throw unreadable(`the request body is not JSON: ${(error as Error).message}`, "invalid_json");
  }
  return checkJson(value, "the request body");
}

const CBOR = {
  useMaps: true,
  rejectDuplicateMapKeys: true,
  allowUndefined: false,
  allowBigInt: false,
  retainStringBytes: true,
};

/** Refuses texts that are not UTF-8, which else would be replaced, and nobody told. */
class TextTokenizer extends Tokenizer {
  override next(): ReturnType<Tokenizer["next"]> {
    const token = super.next();
    if (token.type === Type.string && token.byteValue !== undefined && !isUtf8(token.byteValue))
      throw new Error("a text is not UTF-8");
    return token;
  }
}

function fromCbor(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = decode(bytes, { ...CBOR, tokenizer: new TextTokenizer(bytes, CBOR) });
  } catch (error) {
    throw unreadable(`the request body is not CBOR: ${(error as Error).message}`, "invalid_cbor");
  }
  return checkJson(plain(value, 0), "the request body");
}

/** CBOR's data as JSON has it. */
function plain(value: unknown, depth: number): unknown {
  if (depth > JSON_DEPTH_MAX) throw tooDeep();
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<unknown, unknown>)].map(([key, member]) => {
      if (typeof key !== "string") throw unreadable("the keys of a CBOR map must be texts here", "invalid_cbor");
      return [key, plain(member, depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }
  if (Array.isArray(value)) return (value as unknown[]).map((item) => plain(item, depth + 1));
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  throw unreadable("the request body holds CBOR data that JSON does not have", "invalid_cbor");
}

function unreadable(message: string, reason?: string): MainspringError {
  return new MainspringError("invalid_argument", message, reason === undefined ? {} : { reason });
}

function tooDeep(): MainspringError {
  return unreadable(`the request body is nested deeper than ${JSON_DEPTH_MAX} levels`, "too_deep");
}

/** `markdown`: what stands for the body where text is asked for; the whole as JSON when absent. */
export function sendBody(request: Request, response: Response, body: object, markdown?: string): void {
  const type = request.accepts(["application/json", "application/cbor", "text/markdown"]);
  response.vary("accept");
  if (type === "application/cbor") {
    response.type(type).send(Buffer.from(encode(body, { ignoreUndefinedProperties: true })));
  } else if (type === "text/markdown") {
    response.type("text/markdown").send(markdown ?? `${JSON.stringify(body, null, 2)}\n`);
  } else {
    response.json(body);
  }
}
