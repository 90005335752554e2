import { readdirSync, readFileSync } from "node:fs";

/** CPU time since a watch began, in milliseconds. */
export type TreeCpu = {
  /** Of the process itself. */
  rootMs: number;
  /** Of all its descendants, those that have ended too. */
  descendantsMs: number;
};

/** Memory at one moment. `treePssBytes` is undefined where the kernel does not show it to us. */
export type TreeMemory = {
  rootRssBytes: number;
  treePssBytes: number | undefined;
  processes: number;
};

/** A process with its descendants, looked at over time. */
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
 * Watches a process tree through /proc until `stop`. Looks now and then by itself, since a process that
 * is killed with its whole namespace is waited for by nobody here and takes its count with it; what it
 * used after the last look is missed.
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
    // What a parent has waited for is in its own account already.
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
  // The name in parentheses may hold anything, spaces and parentheses too. After it come the state (the
  // third field in proc_pid_stat(5)) and numbers.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (field: number) => Number(fields[field - 3]);
  return {
    // A pid comes round again; with its start time it does not.
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

/** Undefined when the process has ended, or hides the file from us. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
