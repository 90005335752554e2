import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** A process, told from a later one of the same number by when it started. */
export type ProcessMark = { pid: number; startedAt: string; command: string };

/** Whether this machine shows its processes as files. */
export const canSeeProcesses = existsSync("/proc/self/stat");

/** The children of a process, theirs, and so on. */
export function descendantsOf(root: number): ProcessMark[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const found: ProcessMark[] = [];
  const parents = new Set([root]);
  for (let before = 0; before !== parents.size;) {
    before = parents.size;
    for (const { parent, ...mark } of all) {
      if (!parents.has(parent) || parents.has(mark.pid)) continue;
      parents.add(mark.pid);
      found.push(mark);
    }
  }
  return found;
}

/** Whether the very process still runs. */
export function isAlive(mark: ProcessMark): boolean {
  return readProcess(mark.pid)?.startedAt === mark.startedAt;
}

/** Kills the very process, if it still runs. */
export function endProcess(mark: ProcessMark): void {
  if (isAlive(mark)) process.kill(mark.pid, "SIGKILL");
}

/** Memory of a process that is in RAM, in bytes. */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kibibytes) * 1024;
}

function readProcess(pid: number): (ProcessMark & { parent: number }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything, so count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent] = fields;
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid, parent: Number(parent), startedAt: fields[19] ?? "", command };
  } catch {
    // It ended while we looked.
    return undefined;
  }
}
