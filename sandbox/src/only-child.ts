import { readFileSync } from "node:fs";

/**
 * The ID of the only child of a process. Throws if it has none, or several. bwrap could report it through a pipe, but if the
 * service is killed before, that write kills bwrap, and the child that waits for it lives forever.
 */
export function onlyChildOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  if (!/^\d+$/.test(children)) throw new Error("The process did not start exactly one other");
  return Number(children);
}
