import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
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

/**
 * Makes the kernel kill the program and its descendants before the service when memory runs out, then becomes the
 * program. Raising the score needs no privilege. Done later, it would miss processes that the program has started.
 */
const EXPENDABLE = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"';

/** Starts a program that inherits only the given descriptors and environment. */
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
    const line = ["-c", EXPENDABLE, program, ...args];
    return spawn("/bin/sh", line, { stdio, env, cwd, detached: isGroup });
  } finally {
    closeSync(nothing);
  }
}
