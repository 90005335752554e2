import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** A process, identified by its ID and start time, because IDs are reused. */
export type ProcessMark = { pid: number; startedAt: string; command: string };

/** Whether this machine lists its processes in `/proc`. */
export const canSeeProcesses = existsSync("/proc/self/stat");

/** All descendants of a process. */
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

/** Whether a process executes the code of runs. */
export const isSandboxProcess = ({ command }: ProcessMark): boolean =>
  /workerd.* serve/.test(command);

/** Whether exactly this process is still running. */
export function isAlive(mark: ProcessMark): boolean {
  return readProcess(mark.pid)?.startedAt === mark.startedAt;
}

/** Kills exactly this process, if it is still running. */
export function endProcess(mark: ProcessMark): void {
  if (isAlive(mark)) process.kill(mark.pid, "SIGKILL");
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kibibytes) * 1024;
}

function readProcess(pid: number): (ProcessMark & { parent: number }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything, so fields are counted from the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent] = fields;
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid, parent: Number(parent), startedAt: fields[19] ?? "", command };
  } catch {
    // It exited in the meantime.
    return undefined;
  }
}
