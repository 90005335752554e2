import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { until } from "./until.ts";

/** A control group with little memory. Processes started by `launcher` are in it. */
export type MemoryGroup = {
  /** What to put before a command, so that it has no more than this memory. */
  readonly launcher: readonly string[];
  /** How many of its processes the kernel has killed for lack of memory. */
  countKills(): number;
  /** Deletes it once its processes have ended. */
  remove(): Promise<void>;
};

const isFirstVersion = existsSync("/sys/fs/cgroup/memory");
const parent = isFirstVersion ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
let groups = 0;

/** Creates a control group; undefined on a machine that does not let this process create one. */
export function createMemoryGroup(mebibytes: number): MemoryGroup | undefined {
  groups += 1;
  const folder = join(parent, `toolhost-test-${process.pid}-${groups}`);
  try {
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  try {
    const limitFile = isFirstVersion ? "memory.limit_in_bytes" : "memory.max";
    writeFileSync(join(folder, limitFile), `${mebibytes * 1024 * 1024}`);
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  const eventsFile = isFirstVersion ? "memory.oom_control" : "memory.events";
  return {
    launcher: ["sh", "-c", `echo $$ > ${folder}/cgroup.procs; exec "$@"`, "sh"],
    countKills: () => {
      const events = readFileSync(join(folder, eventsFile), "utf8");
      return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0);
    },
    remove: () =>
      until("the control group is empty", 10_000, () => {
        try {
          rmdirSync(folder);
          return true;
        } catch {
          return false;
        }
      }).then(() => undefined),
  };
}
