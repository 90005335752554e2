import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Lower priority than the service's 0, but still a third of its share, so that jobs finish on a busy machine. */
const niceness = 5;
/** When memory runs out, the kernel kills a tool first (1000), then such a process, then the service (0). */
const oomScore = "500";

/** Gives the service precedence over a process that it has started, for CPU time and memory. */
export function makeExpendable({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
    if (process.platform === "linux") writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore);
  } catch {
    // It has already exited, which is reported elsewhere.
  }
}
