import { existsSync, readFileSync } from "node:fs";

const limits = "/proc/self/limits";

/** How many file descriptors this process may have open. Node raises the soft limit to the hard one when it starts. */
export const openFilesLimit = readLimit();

/** How many a sandbox process may have open: an unprivileged process cannot set more than its own limit. */
export const processOpenFiles = Math.min(2_048, openFilesLimit);

/** The same for a process in a jail. */
export const jailOpenFiles = Math.min(1_024, openFilesLimit);

function readLimit(): number {
  if (!existsSync(limits)) return Infinity;
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync(limits, "latin1"))?.[1];
  return hard === undefined ? Infinity : Number(hard);
}
