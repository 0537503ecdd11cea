/**
 * Artifacts as files: `<root>/<tenant hash>/<first two digits>/<digest>`. A file appears whole and durable or not at
 * all: it is written beside its place, synced, and renamed into it.
 */
import { randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { MainspringError } from "@mainspring/kernel";

import type { ArtifactStore } from "./artifact-store.ts";
import { checkArtifactSize, isDigest, sha256, tenantKey, verified } from "./digest.ts";

export class FileArtifacts implements ArtifactStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(tenant: string, bytes: Uint8Array): Promise<string> {
    checkArtifactSize(bytes);
    const digest = await sha256(bytes);
    const { folder, path } = this.#place(tenant, digest);
    try {
      if ((await sizeOf(path)) !== bytes.length) await writeDurably(folder, path, bytes);
    } catch (cause) {
      throw unavailable(cause);
    }
    return digest;
  }

  async get(tenant: string, digest: string): Promise<Uint8Array | null> {
    if (!isDigest(digest)) return null;
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.#place(tenant, digest).path);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw unavailable(cause);
    }
    return await verified(bytes, digest);
  }

  async ping(): Promise<void> {
    try {
      await mkdir(this.#root, { recursive: true });
      await access(this.#root);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  async close(): Promise<void> {
    // Nothing stays open between calls.
  }

  #place(tenant: string, digest: string): { folder: string; path: string } {
    const folder = join(this.#root, tenantKey(tenant), digest.slice(0, 2));
    return { folder, path: join(folder, digest) };
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function writeDurably(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function unavailable(cause: unknown): MainspringError {
  return new MainspringError("unavailable", "the artifact store cannot be used", { cause, retry: "safe" });
}
