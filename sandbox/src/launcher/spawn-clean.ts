import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import { setPriority } from "node:os";
import type { LaunchOptions } from "./messages.ts";

type Options = Omit<LaunchOptions, "stdio"> & { stdio: ("ignore" | number | Socket)[] };

/**
 * Makes the kernel kill the program and its descendants before the service when memory runs out, then becomes the
 * program. Raising the score needs no privilege. Done later, it would miss processes that the program has started.
 */
const EXPENDABLE = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"';

/** Starts a program that inherits only the given descriptors and environment. */
export function spawnClean(options: Options): ChildProcess {
  const { program, args, env, cwd, isGroup, niceness, inheritedDescriptors } = options;
  const stdio = [...options.stdio];
  const nothing = openSync("/dev/null", "r");
  try {
    for (const fd of inheritedDescriptors) {
      // `spawn` cannot close descriptors, so they are replaced with /dev/null.
      while (stdio.length <= fd) stdio.push("ignore");
      if (stdio[fd] === "ignore") stdio[fd] = nothing;
    }
    const line = ["-c", EXPENDABLE, program, ...args];
    const child = spawn("/bin/sh", line, { stdio, env, cwd, detached: isGroup });
    if (niceness > 0) lowerPriority(child, niceness);
    return child;
  } finally {
    closeSync(nothing);
  }
}

/** Descendants inherit the priority, so that CPU-bound tools leave the service its share of the CPU. */
function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // It has already exited, which is reported elsewhere.
  }
}
