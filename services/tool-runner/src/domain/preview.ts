/** What is shown of an output that is too long: its true beginning, its true end, and a word on what lies between. */

/** Longest output of a call that is passed on as it is, in bytes of UTF-8. */
export const OUTPUT_BYTES_MAX = 32 * 1024;
const HEAD_SHARE = 2 / 3;
/** Of what a try was too large by, so that the next one fits. */
const SHRINK = 0.95;

/** `bytes` as a JSON string may need several times as many. */
export function jsonBytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/**
 * The first and the last bytes with the note between them, in at most `jsonBytesMax` as a JSON string; the note is never
 * cut. For more bytes than that.
 */
export function headAndTail(bytes: Uint8Array, note: string, jsonBytesMax: number): string {
  const between = `\n[… ${note} …]\n`;
  for (let room = Math.max(0, jsonBytesMax - jsonBytesOf(between)); ;) {
    const headBytes = Math.floor(room * HEAD_SHARE);
    const tailBytes = Math.floor(room) - headBytes;
    const head = textIn(bytes.subarray(0, headBytes));
    const text = `${head}${between}${textIn(bytes.subarray(bytes.length - tailBytes))}`;
    const size = jsonBytesOf(text);
    if (size <= jsonBytesMax || room < 1) return text;
    room = Math.floor(room * Math.min(SHRINK, jsonBytesMax / size));
  }
}

/** Without the halves of characters at the cuts. */
function textIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(/^\uFFFD+|\uFFFD+$/g, "");
}
