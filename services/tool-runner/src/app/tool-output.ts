/** What a call says, within the size of a message: the whole of a long output goes to the artifact store. */
import { Buffer } from "node:buffer";

import type { Clock } from "@mainspring/kernel";
import { ARTIFACT_BYTES_MAX, persist } from "@mainspring/service-kit";
import type { ArtifactStore } from "@mainspring/service-kit";

/** Longest output that is passed on as it is, in bytes of UTF-8. */
export const OUTPUT_BYTES_MAX = 32 * 1024;
const PREVIEW_HEAD_BYTES = 16 * 1024;
const PREVIEW_TAIL_BYTES = 8 * 1024;
/** How long a store that is away is waited for. The effect has happened: its call does not fail for this. */
const STORE_PATIENCE_MS = 30_000;

export interface KeptOutput {
  readonly output: string;
  readonly artifact: string;
  readonly outputBytes: number;
}

export interface OutputPorts {
  readonly clock: Clock;
  readonly artifacts: ArtifactStore;
}

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : (JSON.stringify(value) ?? "");
}

export async function keepOutput(ports: OutputPorts, tenant: string, text: string): Promise<KeptOutput> {
  const outputBytes = Buffer.byteLength(text);
  if (outputBytes <= OUTPUT_BYTES_MAX) return { output: text, artifact: "", outputBytes };
  const bytes = Buffer.from(text);
  const kept = bytes.subarray(0, ARTIFACT_BYTES_MAX);
  const artifact = await store(ports, tenant, kept);
  const where =
    artifact === ""
      ? "it could not be stored"
      : `${kept.length === outputBytes ? "all" : "its first part"} is artifact ${artifact}`;
  const head = textIn(bytes.subarray(0, PREVIEW_HEAD_BYTES));
  const tail = textIn(bytes.subarray(outputBytes - PREVIEW_TAIL_BYTES));
  const output = `${head}\n[… the middle of ${outputBytes} bytes of output is left out; ${where} …]\n${tail}`;
  return { output, artifact, outputBytes };
}

/** The digest, or empty when the store stayed away. */
export async function store({ clock, artifacts }: OutputPorts, tenant: string, bytes: Uint8Array): Promise<string> {
  const patience = new AbortController();
  const cancel = clock.after(STORE_PATIENCE_MS, () => patience.abort());
  try {
    return await persist(clock, patience.signal, () => artifacts.put(tenant, bytes));
  } catch {
    return "";
  } finally {
    cancel();
  }
}

/** Without the halves of characters at the cuts. */
function textIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(/^\uFFFD+|\uFFFD+$/g, "");
}
