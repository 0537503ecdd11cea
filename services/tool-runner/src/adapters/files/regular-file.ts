/** Reads and replaces regular files inside a workspace. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import { ToolFailure } from "../../ports/tool.ts";
import type { Workspace } from "../../ports/tool.ts";
import { assertOpenedInside, existingPath, pathFailure, writablePath } from "./contained-path.ts";

/** Largest file that the tools read or write, 10 MiB. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** Never waits for the other end of a pipe, never follows a link put there in the meantime. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const NEW_FILE_MODE = 0o644;
const PERMISSIONS = 0o777;

export async function readRegularFile(workspace: Workspace, path: string): Promise<Buffer> {
  const real = await existingPath(workspace.directory, path);
  let file: FileHandle;
  try {
    file = await open(real, READ_FLAGS);
  } catch (error) {
    throw pathFailure(path, error);
  }
  try {
    await assertOpenedInside(workspace.directory, file.fd, real, path);
    assertRegular(await file.stat(), path);
    return await readAll(file, path);
  } catch (error) {
    throw pathFailure(path, error);
  } finally {
    await file.close();
  }
}

/** The file is there whole or not at all; its permissions stay, its directory is made where it is missing. */
export async function replaceFile(workspace: Workspace, path: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length > FILE_BYTES_MAX) {
    throw new ToolFailure(`The content has ${bytes.length} bytes; a file may have at most ${FILE_BYTES_MAX}.`);
  }
  try {
    const target = await writablePath(workspace.directory, path);
    const before = await lstat(target).catch(() => null);
    if (before !== null) assertRegular(before, path);
    await makeDirectories(workspace, dirname(target));
    const mode = before === null ? NEW_FILE_MODE : before.mode & PERMISSIONS;
    await writeBeside(workspace, target, path, bytes, mode);
  } catch (error) {
    throw pathFailure(path, error);
  }
}

function assertRegular(status: Stats, path: string): void {
  if (!status.isFile()) throw new ToolFailure(`${path} is not a regular file.`);
  if (status.nlink > 1) throw new ToolFailure(`${path} has several names (hard links); such files are not touched.`);
}

/** A file may grow while it is read: the limit holds all the same. */
async function readAll(file: FileHandle, path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(64 * 1024) });
    if (bytesRead === 0) return Buffer.concat(parts, total);
    parts.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > FILE_BYTES_MAX)
      throw new ToolFailure(`${path} has more than ${FILE_BYTES_MAX} bytes, the most that the file tools take.`);
  }
}

async function makeDirectories({ directory, owner }: Workspace, wanted: string): Promise<void> {
  const first = await mkdir(wanted, { recursive: true });
  if (first === undefined || owner === null) return;
  for (let made = wanted; made.length >= first.length && made !== directory; made = dirname(made)) {
    const handle = await open(made, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      await assertOpenedInside(directory, handle.fd, made, made);
      await handle.chown(owner, owner);
    } finally {
      await handle.close();
    }
  }
}

async function writeBeside(
  { directory, owner }: Workspace,
  target: string,
  path: string,
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  const beside = join(dirname(target), `.${randomUUID()}.tmp`);
  const file = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    await assertOpenedInside(directory, file.fd, beside, path);
    await file.writeFile(bytes);
    if (owner !== null) await file.chown(owner, owner);
    await file.chmod(mode);
    await file.sync();
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
