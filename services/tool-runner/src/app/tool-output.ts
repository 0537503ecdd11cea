/** What a call says, within the size of a message: the whole of a long output goes to the artifact store. */
import { Buffer } from "node:buffer";

import type { Clock } from "@mainspring/kernel";
import { ARTIFACT_BYTES_MAX, persist } from "@mainspring/service-kit";
import type { ArtifactStore } from "@mainspring/service-kit";

import { headAndTail, OUTPUT_BYTES_MAX } from "../domain/preview.ts";

const PREVIEW_BYTES_MAX = 24 * 1024;
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
  const note = `the middle of ${outputBytes} bytes of output is left out; ${where}`;
  return { output: headAndTail(bytes, note, PREVIEW_BYTES_MAX), artifact, outputBytes };
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
