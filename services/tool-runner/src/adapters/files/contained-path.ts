/**
 * Paths of a model, kept inside its workspace. What counts is where a path really leads: it is canonicalised, links
 * and all, and must then lie inside. `..` is fine as long as it stays inside.
 */
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";

import { ToolFailure } from "../../ports/tool.ts";

/** Where commands of the shell see the workspace; such a path means the same to the file tools. */
export const WORKSPACE_MOUNT = "/workspace";
const PATH_CHARS_MAX = 4_096;

/** The real path of something that exists inside the workspace. */
export async function existingPath(directory: string, path: string): Promise<string> {
  const root = await realpath(directory);
  const real = await realpath(lexical(root, path)).catch((error: unknown) => {
    throw pathFailure(path, error);
  });
  assertInside(root, real, path);
  return real;
}

/**
 * The real path of a file that may be written: its directory (as far as it exists) lies inside, and it is not a link.
 * The directories that are missing are not made.
 */
export async function writablePath(directory: string, path: string): Promise<string> {
  const root = await realpath(directory);
  const target = lexical(root, path);
  if (target === root) throw new ToolFailure(`${path} is the workspace itself, not a file in it.`);
  const { real, missing } = await existingPart(dirname(target), path);
  assertInside(root, real, path);
  const file = join(real, missing, basename(target));
  const status = await lstat(file).catch(() => null);
  if (status?.isSymbolicLink() === true)
    throw new ToolFailure(`${path} is a link. Files are not written through links.`);
  return file;
}

/** For the model: a path as seen from the workspace, with forward slashes. */
export function shownPath(directory: string, real: string): string {
  return relative(directory, real).split(sep).join(posix.sep);
}

/** Where an open file really is, on systems that can tell; otherwise the path that it was opened by. */
export async function placeOf(fd: number, path: string): Promise<string> {
  return await readlink(`/proc/self/fd/${fd}`).catch(() => path);
}

export async function assertOpenedInside(directory: string, fd: number, opened: string, path: string): Promise<void> {
  assertInside(await realpath(directory), await placeOf(fd, opened), path);
}

export function pathFailure(path: string, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
      return new ToolFailure(`${path} does not exist.`);
    case "EISDIR":
      return new ToolFailure(`${path} is a directory.`);
    case "ENOTDIR":
      return new ToolFailure(`A part of ${path} is not a directory.`);
    case "ELOOP":
      return new ToolFailure(`${path} is a link, or leads through too many of them.`);
    case "EACCES":
    case "EPERM":
      return new ToolFailure(`${path} may not be accessed.`);
    case "ENAMETOOLONG":
      return new ToolFailure(`${path} is too long.`);
    case "ENOSPC":
    case "EDQUOT":
      return new ToolFailure("There is no space left for the file.");
    default:
      return error;
  }
}

function lexical(root: string, path: string): string {
  if (path === "" || path.includes("\0")) throw new ToolFailure("The path is empty or holds a null character.");
  if (path.length > PATH_CHARS_MAX) throw new ToolFailure(`The path is longer than ${PATH_CHARS_MAX} characters.`);
  if (path === WORKSPACE_MOUNT || path.startsWith(`${WORKSPACE_MOUNT}/`)) {
    return resolve(root, `.${path.slice(WORKSPACE_MOUNT.length)}`);
  }
  return resolve(root, path);
}

async function existingPart(path: string, shown: string): Promise<{ real: string; missing: string }> {
  const missing: string[] = [];
  for (let part = path; ; part = dirname(part)) {
    try {
      return { real: await realpath(part), missing: join(...missing.toReversed(), ".") };
    } catch (error) {
      // A link that leads nowhere exists itself: what is below it must not be taken for a directory to be made.
      const dangling = await lstat(part).then(
        () => true,
        () => false,
      );
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dangling || dirname(part) === part) {
        throw pathFailure(shown, error);
      }
      missing.push(basename(part));
    }
  }
}

function assertInside(root: string, real: string, path: string): void {
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new ToolFailure(`${path} is outside the workspace.`);
}
