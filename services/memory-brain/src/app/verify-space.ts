/** Whether what a worker has of a Space is what its log says. */
import type { SpaceRow } from "../ports/directory.ts";
import type { SpaceLog } from "../ports/space-log.ts";
import { RECORDS_PER_READ_MAX } from "../ports/space-log.ts";
import type { Verified } from "./brain.ts";
import type { LocalSpace, LogPosition } from "./local-space.ts";
import { positionIn } from "./ownership/shared-space.ts";
import { logNameOf } from "./ownership/take-over.ts";

const DIFFERENCES_MAX = 20;
/** Characters of a row that a difference shows. */
const SHOWN_CHARACTERS = 200;

export interface VerifyPorts {
  readonly log: SpaceLog;
  /** Opens an empty copy, apart from the one in use; `drop` removes it. */
  readonly openApart: () => Promise<{ readonly copy: LocalSpace; readonly drop: () => Promise<void> }>;
}

/** Restores the Space apart, up to the record that a dump of it ends with, and compares the two row by row. */
export async function verifySpace(
  ports: VerifyPorts,
  row: SpaceRow,
  live: AsyncIterable<Uint8Array>,
): Promise<Verified> {
  const frames = live[Symbol.asyncIterator]();
  const first = await frames.next();
  const at = positionIn(first.value as Uint8Array);
  const { copy, drop } = await ports.openApart();
  try {
    const missing = await restoreUpTo(ports.log, logNameOf(row), copy, at);
    if (missing !== null) return { rows: 0, differences: [missing] };
    return await compare(lines(first.value as Uint8Array, frames), lines(null, copy.dump(null)));
  } finally {
    await frames.return?.();
    await copy.close().catch(() => copy.kill());
    await drop();
  }
}

/** Null when it is there; else what is missing. */
async function restoreUpTo(log: SpaceLog, name: string, copy: LocalSpace, end: LogPosition): Promise<string | null> {
  const snapshot = await log.snapshot(name);
  let no = 0;
  if (snapshot !== null && snapshot.no <= end.no) {
    for (let index = 0; index < snapshot.parts; index += 1)
      await copy.restore(await log.readPart(name, snapshot.id, index), snapshot);
    await copy.restore(null, snapshot);
    no = snapshot.no;
  }
  let commit = snapshot?.commit ?? "";
  while (no < end.no) {
    const records = await log.read(name, no, Math.min(RECORDS_PER_READ_MAX, end.no - no));
    const whole = records.flatMap(({ patch, ...record }) => (patch === null ? [] : [{ ...record, patch }]));
    if (whole.length === 0) return `record ${no + 1} is not in the log`;
    await copy.apply(whole);
    no = whole.at(-1)!.no;
    commit = whole.at(-1)!.commit;
  }
  return commit === end.commit ? null : `record ${end.no} of the log is another one`;
}

async function* lines(
  first: Uint8Array | null,
  rest: AsyncIterable<Uint8Array> | AsyncIterator<Uint8Array>,
): AsyncGenerator<string> {
  const frames = Symbol.asyncIterator in rest ? rest[Symbol.asyncIterator]() : rest;
  let waiting = Buffer.from(first ?? []);
  for (;;) {
    for (let end = waiting.indexOf(10); end >= 0; end = waiting.indexOf(10)) {
      yield waiting.subarray(0, end).toString();
      waiting = waiting.subarray(end + 1);
    }
    const next = await frames.next();
    if (next.done === true) return;
    waiting = Buffer.concat([waiting, next.value]);
  }
}

/** Only rows are compared: headers and digests are about the dumps. */
async function nextRow(from: AsyncGenerator<string>): Promise<string | null> {
  for (;;) {
    const { value, done } = await from.next();
    if (done === true) return null;
    if (value.startsWith("[")) return value;
  }
}

async function compare(live: AsyncGenerator<string>, restored: AsyncGenerator<string>): Promise<Verified> {
  const differences: string[] = [];
  let rows = 0;
  let [left, right] = [await nextRow(live), await nextRow(restored)];
  while ((left !== null || right !== null) && differences.length < DIFFERENCES_MAX) {
    rows += 1;
    if (left !== right) differences.push(`here ${shown(left)}, in the log ${shown(right)}`);
    [left, right] = [await nextRow(live), await nextRow(restored)];
  }
  return { rows, differences };
}

const shown = (row: string | null): string => (row === null ? "nothing" : row.slice(0, SHOWN_CHARACTERS));
