import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";

/**
 * The memory that this process and its children can use: that of the machine, or less if their control group or one of
 * its ancestors has a limit. `root` is where the file system is found.
 */
export function readMemoryLimit(root = "/", machineBytes = totalmem()): number {
  const groups = readText(join(root, "proc/self/cgroup")).split("\n");
  return Math.min(machineBytes, ...groups.flatMap((line) => limitsOf(root, line)));
}

/** Limits in a line of `/proc/self/cgroup`: number of the hierarchy, its controllers, and a path. */
function limitsOf(root: string, line: string): number[] {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (controllers === undefined || path === undefined) return [];
  const isSecond = controllers === "";
  if (!isSecond && !controllers.split(",").includes("memory")) return [];
  const mount = join(root, "sys/fs/cgroup", isSecond ? "" : "memory");
  const files = isSecond ? ["memory.max", "memory.high"] : ["memory.limit_in_bytes"];
  // In a container, the path may be that on the host, so folders that do not exist are skipped.
  return ancestors(path).flatMap((folder) =>
    files.flatMap((file) => {
      // Without a limit, the file is missing or contains "max", or a number larger than any memory.
      const bytes = Number.parseInt(readText(join(mount, folder, file)), 10);
      return Number.isNaN(bytes) ? [] : [bytes];
    }),
  );
}

/** A path and all folders above it. */
function ancestors(path: string): string[] {
  return path === "/" ? [path] : [path, ...ancestors(dirname(path))];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
