/** What calls are told beside what they are about. */
export interface CallSettings {
  readonly signal?: AbortSignal;
}
export interface WriteSettings extends CallSettings {
  /** A repeat under the same key finds what the first one made. */
  readonly idempotencyKey?: string;
}
export interface PageSettings extends CallSettings {
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

export function written({ signal, idempotencyKey }: WriteSettings) {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
  };
}

export function paged({ signal, limit, after }: PageSettings) {
  const query = given({ limit: limit === undefined ? undefined : String(limit), after });
  return { query, ...(signal === undefined ? {} : { signal }) };
}
