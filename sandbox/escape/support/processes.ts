import { existsSync, readFileSync } from "node:fs";

/** The live sandbox processes of this process. */
export function workerds(): { pid: number; program: string }[] {
  return descendants(process.pid).filter(({ program }) => program === "workerd");
}

/** The live processes that a process started, and those that they started. */
export function descendants(pid: number): { pid: number; program: string }[] {
  return childrenOf(pid).flatMap((child) => {
    const program = programOf(child);
    return [...(program === undefined ? [] : [{ pid: child, program }]), ...descendants(child)];
  });
}

function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(path)) return [];
  try {
    return readFileSync(path, "latin1").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function programOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return /\) [ZX] /.test(stat) ? undefined : /\((.*)\)/.exec(stat)?.[1];
  } catch {
    return undefined;
  }
}
