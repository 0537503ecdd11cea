/**
 * Workspaces as directories of a volume that all runners share:
 *
 *     <root>/<tenant>/<session>/            the session's files
 *     <root>/<tenant>/.state/<session>/     what tools keep for it (notes, the to-do list), out of reach of its commands
 *
 * Names that are not plain become a hash, so no id can lead out of the root or into another's directory.
 */
import { chown, mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

import { hashParts, MainspringError } from "@mainspring/kernel";

import type { Workspace, Workspaces } from "../../ports/tool.ts";

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Directories known to exist; the oldest is forgotten first. */
const KNOWN_MAX = 1_000;

export class DirectoryWorkspaces implements Workspaces {
  readonly #root: string;
  readonly #ownerOf: (session: string) => number | null;
  readonly #known = new Map<string, Promise<Workspace>>();

  constructor(root: string, ownerOf: (session: string) => number | null) {
    this.#root = resolve(root);
    this.#ownerOf = ownerOf;
  }

  of(tenant: string, session: string): Promise<Workspace> {
    const [home, name] = [join(this.#root, nameOf(tenant)), nameOf(session)];
    const directory = join(home, name);
    const known = this.#known.get(directory);
    if (known !== undefined) return known;
    const workspace = { directory, stateDirectory: join(home, ".state", name), owner: this.#ownerOf(session) };
    const made = make(home, workspace).catch((cause: unknown) => {
      this.#known.delete(directory);
      throw new MainspringError("unavailable", "the workspace of the session cannot be made", { cause });
    });
    this.#known.set(directory, made);
    const oldest = this.#known.keys().next();
    if (this.#known.size > KNOWN_MAX && oldest.done !== true) this.#known.delete(oldest.value);
    return made;
  }
}

/** Another runner may be making the same one, or may have died half-way. */
async function make(home: string, workspace: Workspace): Promise<Workspace> {
  const { directory, owner } = workspace;
  await mkdir(home, { recursive: true, mode: 0o700 });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (owner !== null && (await stat(directory)).uid !== owner) await chown(directory, owner, owner);
  return workspace;
}

function nameOf(id: string): string {
  return PLAIN.test(id) ? id : `~${hashParts([id])}`;
}
