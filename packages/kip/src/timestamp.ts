import { KipError } from "./kip-error.ts";

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})Z$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for exactly `YYYY-MM-DDTHH:mm:ss.SSSZ` with a date that exists. Such strings order as text. */
export function isTimestamp(text: string): boolean {
  const parts = SHAPE.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leap ? 29 : MONTH_DAYS[month - 1]!;
  return day >= 1 && day <= days;
}

/** The timestamp itself; another string is a `ConstraintViolation`, another type a `TypeMismatch`. */
export function checkTimestamp(value: unknown, field: string): string {
  if (typeof value !== "string") throw new KipError("TypeMismatch", `${field} must be a timestamp string`);
  if (!isTimestamp(value)) {
    throw new KipError("ConstraintViolation", `${field} must be written as YYYY-MM-DDTHH:mm:ss.SSSZ`, {
      details: { field, value },
      hint: `Write ${JSON.stringify(meant(value) ?? "2026-05-03T00:00:00.000Z")}: UTC, with milliseconds.`,
    });
  }
  return value;
}

/** The same instant in the form that is asked for, where the text says which one it is. */
function meant(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text)) return undefined;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
