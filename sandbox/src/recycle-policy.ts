import type { SandboxProcess } from "./process.ts";

/** When a process is replaced rather than used for another run. */
export type RecyclePolicy = {
  maxRunsPerProcess: number;
  maxProcessAgeMs: number;
  /** Resident memory of a process that has run nothing yet. */
  idleRssBytes: number;
  /** Resident memory above `idleRssBytes` at which a process is replaced. */
  retireRssBytes: number;
  /** Memory for all processes. Those that retain more than their share are replaced. */
  memoryBytes?: number;
  /** How long a process waits for another run of its workspace. */
  idleTimeoutMs: number;
};

/** The dispatcher caches every module that it received. */
const MAX_CODES = 150;
/** Connections that runs left open use up the process's file descriptors, and it crashes when none is left. */
const MAX_CONNECTIONS = 100;

/** What an idle process does not have in common with others. */
const IDLE_PRIVATE_BYTES = 16 * 1024 * 1024;
/** Each process may retain this much, however small its share: replacing it after every run would cost more. */
const MIN_RETAINED_BYTES = 48 * 1024 * 1024;

/** Whether one of so many processes, with this much resident memory, is too old, large or full for another run. */
export function shouldRecycle(
  process: SandboxProcess,
  rssBytes: number,
  processes: number,
  policy: RecyclePolicy,
): boolean {
  const { idleRssBytes, retireRssBytes, memoryBytes = Infinity } = policy;
  const shareBytes = Math.max(memoryBytes / processes - IDLE_PRIVATE_BYTES, MIN_RETAINED_BYTES);
  return (
    process.isDead ||
    process.hasFlooded ||
    process.runs >= policy.maxRunsPerProcess ||
    process.codes.size >= MAX_CODES ||
    process.egress.connections > MAX_CONNECTIONS ||
    rssBytes - idleRssBytes > Math.min(retireRssBytes, shareBytes) ||
    hasReachedMaxAge(process, policy)
  );
}

/** Whether a process has reached its maximum age. */
function hasReachedMaxAge(
  process: SandboxProcess,
  { maxProcessAgeMs }: Pick<RecyclePolicy, "maxProcessAgeMs">,
): boolean {
  return performance.now() - process.startedAt > maxProcessAgeMs;
}

/** Whether a process has been free for too long. */
function isIdle(
  { lastUsedAt, startedAt }: SandboxProcess,
  { idleTimeoutMs }: Pick<RecyclePolicy, "idleTimeoutMs">,
): boolean {
  return performance.now() - Math.max(lastUsedAt, startedAt) > idleTimeoutMs;
}

/** Whether a free process is no longer needed. Of the unassigned ones, `surplus` are more than are kept ready. */
export function isDispensable(
  process: SandboxProcess,
  policy: Pick<RecyclePolicy, "maxProcessAgeMs" | "idleTimeoutMs"> & { surplus: number },
): boolean {
  if (hasReachedMaxAge(process, policy)) return true;
  // Left over from a burst of runs.
  return (process.workspaceId !== undefined || policy.surplus > 0) && isIdle(process, policy);
}

/** CPU time that a free process may use: idle garbage collection rather than leftover work. */
const IDLE_CPU_MS = 150;

/** Whether a free process has worked since its last run. That would be charged to the next one. */
export function hasLeftoverWork(process: SandboxProcess): boolean {
  if (process.prewarmed?.isReady === false) return false;
  const sample = process.gauge.recent();
  return sample === undefined || sample.cpuMs - process.releasedCpuMs > IDLE_CPU_MS;
}
