/**
 * Texts of public calls. Reading a message, protobufjs puts U+FFFD in place of what is no UTF-8, and nobody is told; proto3 wants
 * such a message refused. In a whole text each U+FFFD stands for its own three bytes, so more of them than the message has bytes
 * for were put there.
 */
import { MainspringError } from "@mainspring/kernel";

const REPLACEMENT = "\ufffd";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
const altered = new WeakSet<object>();

/** Reads as before, and notices which messages had something replaced. */
export function noticing<T extends object>(deserialize: (bytes: Buffer) => T): (bytes: Buffer) => T {
  return (bytes) => {
    const message = deserialize(bytes);
    const replaced = countIn(message);
    if (replaced > 0 && replaced > countOf(bytes, REPLACEMENT_BYTES)) altered.add(message);
    return message;
  };
}

/** Throws `invalid_argument` for a message that had something replaced. */
export function checkText(message: unknown): void {
  if (typeof message !== "object" || message === null || !altered.has(message)) return;
  throw new MainspringError("invalid_argument", "a text of the request is not UTF-8", { reason: "invalid_utf8" });
}

function countIn(value: unknown): number {
  if (typeof value === "string") return countOf(value, REPLACEMENT);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 0;
  let count = 0;
  for (const member of Object.values(value)) count += countIn(member);
  return count;
}

function countOf<T extends string | Buffer>(whole: T, part: T): number {
  let count = 0;
  const indexOf = (from: number): number => (whole as string).indexOf(part as string, from);
  for (let at = indexOf(0); at >= 0; at = indexOf(at + part.length)) count += 1;
  return count;
}
