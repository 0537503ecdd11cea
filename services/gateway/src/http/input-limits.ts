/** Sizes that the engine can carry: what is larger is refused before a run begins that could only fail. */
import { MainspringError } from "@mainspring/kernel";

/** Largest item of an input as JSON, 3 MiB: it travels to the model in one message of at most 4 MiB. */
export const ITEM_BYTES_MAX = 3 * 1024 * 1024;
/** Most that instructions, tools, metadata and parameters of a request may take as JSON together, 1 MiB. */
export const SETTINGS_BYTES_MAX = 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

export function checkSizes(items: readonly unknown[], spec: Fields): void {
  for (const [index, item] of items.entries()) {
    const bytes = jsonBytes(item);
    if (bytes <= ITEM_BYTES_MAX) continue;
    throw new MainspringError(
      "invalid_argument",
      `input: item ${index} takes ${bytes} bytes as JSON; the limit is ${ITEM_BYTES_MAX}`,
      { reason: "input_too_large", param: "input" },
    );
  }
  // The echo repeats most of the other fields; only what it alone has counts.
  const { echo, ...settings } = spec;
  const { metadata, user } = (echo ?? {}) as Fields;
  const bytes = jsonBytes({ ...settings, metadata, user });
  if (bytes <= SETTINGS_BYTES_MAX) return;
  throw new MainspringError(
    "invalid_argument",
    `instructions, tools, metadata and parameters take ${bytes} bytes as JSON together; the limit is ${SETTINGS_BYTES_MAX}`,
    { reason: "settings_too_large" },
  );
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
