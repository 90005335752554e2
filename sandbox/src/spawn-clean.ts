import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Command } from "./layers.ts";

type Options = {
  stdio: ("ignore" | "pipe" | number)[];
  env?: Record<string, string>;
  cwd?: string;
  /** Whether it gets its own process group, so that it can be killed with all its children. */
  isGroup?: boolean;
  /** File descriptors that the service inherited and that the program must not inherit. */
  inheritedDescriptors: readonly number[];
};

/** The highest value. Raising it needs no privilege. */
const OOM_SCORE = "1000";

/**
 * Starts a program that inherits only the given descriptors and environment, and that the kernel kills before the
 * service when memory runs out.
 */
export function spawnClean({ program, args }: Command, options: Options): ChildProcess {
  const { env = {}, cwd = "/", isGroup = false, inheritedDescriptors } = options;
  const stdio = [...options.stdio];
  const nothing = openSync("/dev/null", "r");
  try {
    for (const fd of inheritedDescriptors) {
      // `spawn` cannot close descriptors, so they are replaced with /dev/null.
      while (stdio.length <= fd) stdio.push("ignore");
      if (stdio[fd] === "ignore") stdio[fd] = nothing;
    }
    const child = spawn(program, args, { stdio, env, cwd, detached: isGroup });
    if (child.pid !== undefined) raiseOomScore(child.pid);
    return child;
  } finally {
    closeSync(nothing);
  }
}

/** Makes the kernel kill a process, and those that it starts from now on, before the service. */
export function raiseOomScore(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE);
  } catch {
    // It has already exited, which is reported elsewhere.
  }
}
