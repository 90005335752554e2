import { readdirSync, readFileSync } from "node:fs";

/** CPU time since the start of a watch, in milliseconds. */
export type TreeCpu = {
  /** Of the process itself. */
  rootMs: number;
  /** Of all its descendants, including exited ones. */
  descendantsMs: number;
};

/** Memory at one moment. `treePssBytes` is undefined if the kernel does not allow reading it. */
export type TreeMemory = {
  rootRssBytes: number;
  treePssBytes: number | undefined;
  processes: number;
};

/** A process and its descendants, sampled over time. */
export type TreeWatch = {
  cpu(): TreeCpu;
  memory(): TreeMemory;
  stop(): void;
};

/** `ownMs` is its own CPU time; `reapedMs` is that of its children that it has waited for. */
type Usage = { pid: number; ownMs: number; reapedMs: number };
type Stat = Usage & { id: string; parent: number };

// USER_HZ, in which /proc counts, is 100 on every Linux that Node runs on.
const tickMs = 10;
const sampleMs = 250;

/**
 * Samples a process tree through /proc until `stop`. It also samples at intervals, because no parent in this tree
 * waits for processes that are killed with their namespace, so their CPU time would be lost. Usage after
 * the last sample is missed.
 */
export function watchTree(rootPid: number): TreeWatch {
  let last = readTree(rootPid);
  let lostMs = 0;
  const look = () => {
    const now = readTree(rootPid);
    let vanishedMs = 0;
    let reapedMs = 0;
    for (const [id, before] of last) {
      const after = now.get(id);
      if (after === undefined) vanishedMs += before.ownMs + before.reapedMs;
      else reapedMs += after.reapedMs - before.reapedMs;
    }
    // The time of children that a parent has waited for is already included in its own.
    lostMs += Math.max(0, vanishedMs - reapedMs);
    last = now;
  };
  const timer = setInterval(look, sampleMs);
  timer.unref();
  return {
    cpu: () => {
      look();
      let rootMs = 0;
      let descendantsMs = lostMs;
      for (const usage of last.values()) {
        if (usage.pid === rootPid) rootMs = usage.ownMs;
        else descendantsMs += usage.ownMs;
        descendantsMs += usage.reapedMs;
      }
      return { rootMs, descendantsMs };
    },
    memory: () => {
      look();
      return readMemory(rootPid, [...last.values()]);
    },
    stop: () => clearInterval(timer),
  };
}

/** Memory of one process, with its part of the pages that it shares. */
export type ProcessMemory = { pid: number; command: string; pssBytes: number };

/** The memory of each process of a tree. Empty for those that the kernel does not allow reading. */
export function readProcesses(rootPid: number): ProcessMemory[] {
  return [...readTree(rootPid).values()].flatMap(({ pid }) => {
    const rollup = readProc(pid, "smaps_rollup");
    const pss = kibibytes(rollup, "Pss");
    if (pss === undefined) return [];
    const command = (readProc(pid, "cmdline") ?? "").replaceAll("\0", " ").trim();
    return [{ pid, command, pssBytes: pss * 1024 }];
  });
}

function readTree(rootPid: number): Map<string, Usage> {
  const byParent = new Map<number, Stat[]>();
  const root = readStat(rootPid);
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat === undefined) continue;
    const siblings = byParent.get(stat.parent);
    if (siblings === undefined) byParent.set(stat.parent, [stat]);
    else siblings.push(stat);
  }
  const tree = new Map<string, Usage>();
  const open = root === undefined ? [] : [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, pid, ownMs, reapedMs } = next;
    tree.set(id, { pid, ownMs, reapedMs });
    open.push(...(byParent.get(pid) ?? []));
  }
  return tree;
}

function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, "stat");
  if (text === undefined) return undefined;
  // The name in parentheses may contain anything, including spaces and parentheses. After it come the state (the
  // third field in proc_pid_stat(5)) and numbers.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (field: number) => Number(fields[field - 3]);
  return {
    // Pids are reused, but the combination with the start time is unique.
    id: `${pid}:${number(22)}`,
    pid,
    parent: number(4),
    ownMs: (number(14) + number(15)) * tickMs,
    reapedMs: (number(16) + number(17)) * tickMs,
  };
}

function readMemory(rootPid: number, tree: readonly Usage[]): TreeMemory {
  let rootRssBytes = Number.NaN;
  let treePssBytes: number | undefined = 0;
  for (const { pid } of tree) {
    const rollup = readProc(pid, "smaps_rollup");
    const pss = kibibytes(rollup, "Pss");
    if (pss === undefined || treePssBytes === undefined) treePssBytes = undefined;
    else treePssBytes += pss * 1024;
    if (pid === rootPid) rootRssBytes = (kibibytes(rollup, "Rss") ?? Number.NaN) * 1024;
  }
  return { rootRssBytes, treePssBytes, processes: tree.length };
}

function kibibytes(rollup: string | undefined, name: string): number | undefined {
  const found = rollup && new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(rollup)?.[1];
  return found ? Number(found) : undefined;
}

/** Undefined if the process has exited or the file is not readable. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
