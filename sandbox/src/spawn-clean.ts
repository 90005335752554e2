import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Command } from "./layers.ts";

type Options = {
  stdio: ("ignore" | "pipe" | number)[];
  env?: Record<string, string>;
  cwd?: string;
  /** Whether it becomes a process group of its own, so that the whole of it can be ended. */
  isGroup?: boolean;
  /** Descriptors that this service inherited, and that the program must not. */
  inheritedDescriptors: readonly number[];
};

/** Starts a program with the given descriptors and environment and nothing else of ours. */
export function spawnClean({ program, args }: Command, options: Options): ChildProcess {
  const { env = {}, cwd = "/", isGroup = false, inheritedDescriptors } = options;
  const stdio = [...options.stdio];
  const nothing = openSync("/dev/null", "r");
  try {
    for (const fd of inheritedDescriptors) {
      // Covered rather than closed, which `spawn` cannot do.
      while (stdio.length <= fd) stdio.push("ignore");
      if (stdio[fd] === "ignore") stdio[fd] = nothing;
    }
    return spawn(program, args, { stdio, env, cwd, detached: isGroup });
  } finally {
    closeSync(nothing);
  }
}
