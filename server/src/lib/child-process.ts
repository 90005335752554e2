import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

const msPerTick = 10;
/** Lower priority than the service's 0, but still a third of its share, so that jobs finish on a busy machine. */
const niceness = 5;
/** When memory runs out, the kernel kills a tool first (1000), then such a process, then the service (0). */
const oomScore = "500";

/** Lets the service go first, for CPU time and when memory runs out. */
export function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
    if (process.platform === "linux") writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore);
  } catch {
    // It has already exited, which is reported elsewhere.
  }
}

/** CPU time of a process since its start in milliseconds; wall time if the system does not report it. */
export function cpuMsOf({ pid }: ChildProcess): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the command in parentheses, which may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return performance.now();
  }
}
