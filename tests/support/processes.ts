/** Looks at the processes of this machine. */
import { readdirSync, readFileSync } from "node:fs";

/** How many have exactly this command line, words parted by one space. */
export function processesNamed(commandLine: string): number {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLineOf(pid) === commandLine).length;
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean).join(" ");
  } catch {
    return "";
  }
}

/** Those of them whose environment holds exactly this entry. */
export function processesWith(entry: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(entry))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
