/** What the machine has, and what its own package tools can add. */
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const INSTALL_TIMEOUT_MS = 600_000;

export function onPath(command: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Installs Debian packages. Throws with the reason when that is not possible here. */
export function installDebian(packages: readonly string[]): void {
  if (!onPath("apt-get")) throw new Error(`${packages.join(", ")}: not on the path, and there is no apt-get`);
  const privileged = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  console.log(`installing ${packages.join(", ")} with apt-get`);
  const aptGet = (args: readonly string[]): void => {
    const [command = "apt-get", ...rest] = [...privileged, "apt-get", ...args];
    execFileSync(command, rest, {
      stdio: ["ignore", "ignore", "inherit"],
      timeout: INSTALL_TIMEOUT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  };
  aptGet(["update"]);
  aptGet(["install", "-y", "--no-install-recommends", ...packages]);
}
