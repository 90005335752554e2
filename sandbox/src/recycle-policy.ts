import type { SandboxProcess } from "./process.ts";

/** When a process is replaced rather than used for another run. */
export type RecyclePolicy = {
  maxRunsPerProcess: number;
  maxProcessAgeMs: number;
  /** Resident memory of a process that has run nothing yet. */
  idleRssBytes: number;
  /** Resident memory above `idleRssBytes` at which a process is replaced. */
  retireRssBytes: number;
};

/** `LOADER.get` retains every isolate until the process ends. */
const MAX_ISOLATES = 20;
/** The dispatcher also caches every module that it received. */
const MAX_CODES = 50;
/** Connections that runs left open use up the process's file descriptors, and it crashes when none is left. */
const MAX_CONNECTIONS = 100;

/** Whether a process with this much resident memory is too old, too large or too full for another run. */
export function shouldRecycle(
  process: SandboxProcess,
  rssBytes: number,
  policy: RecyclePolicy,
): boolean {
  return (
    process.isDead ||
    process.hasFlooded ||
    process.runs >= policy.maxRunsPerProcess ||
    process.isolates.size >= MAX_ISOLATES ||
    process.codes.size >= MAX_CODES ||
    process.egress.connections > MAX_CONNECTIONS ||
    rssBytes - policy.idleRssBytes > policy.retireRssBytes ||
    hasReachedMaxAge(process, policy)
  );
}

/** Whether a process has reached its maximum age. */
export function hasReachedMaxAge(
  process: SandboxProcess,
  { maxProcessAgeMs }: Pick<RecyclePolicy, "maxProcessAgeMs">,
): boolean {
  return performance.now() - process.startedAt > maxProcessAgeMs;
}
