import type { SandboxProcess } from "./process.ts";
import type { LeaseRequest } from "./lease-request.ts";

/** `LOADER.get` retains every isolate until the process ends. Each takes about 3 MB. */
const MAX_ISOLATES = 60;

/** Whether a process may serve a run when it is free: it belongs to the workspace and has the isolate, or room for one. */
export function canServe(
  { workspaceId, isolates }: { workspaceId: string | undefined; isolates: ReadonlySet<string> },
  request: LeaseRequest,
): boolean {
  if (workspaceId !== request.workspaceId) return false;
  return request.isolation === "fresh" || isolates.size < MAX_ISOLATES || isolates.has(request.key);
}

const HAS_ISOLATE = 6;

/** How well a free process suits a run. 0 if it may not or cannot serve it. */
function fitness(process: SandboxProcess, request: LeaseRequest): number {
  const { workspaceId, prewarmed, lines, lastKey } = process;
  if (workspaceId === undefined) return 1;
  if (!canServe(process, request)) return 0;
  // The CPU time of leftover work would be charged to a run of another tool or user.
  if (!lines.isIdle && lastKey !== request.key) return 0;
  if (prewarmed?.key === request.key && request.isolation === "fresh") return HAS_ISOLATE;
  // The process is still evaluating the module of another tool.
  if (prewarmed?.isReady === false) return 0;
  if (process.isolates.has(request.key) && request.isolation === "reuse") return HAS_ISOLATE;
  const prewarmedPenalty = prewarmed === undefined ? 0 : 1;
  return (process.codes.has(request.codeId) ? 4.5 : 3) - prewarmedPenalty;
}

/** The process that fits a run best; undefined if none does, or with `needsIsolate` none that has its isolate. */
export function fittest(
  processes: Iterable<SandboxProcess>,
  request: LeaseRequest,
  needsIsolate = false,
): SandboxProcess | undefined {
  let best: SandboxProcess | undefined;
  let bestScore = needsIsolate ? HAS_ISOLATE - 1 : 0;
  for (const process of processes) {
    const score = fitness(process, request);
    // Prefer the most recently used: its memory is warm, and surplus processes can reach their idle timeout.
    const isBetter =
      score > bestScore ||
      (score > 0 && score === bestScore && process.lastUsedAt > (best?.lastUsedAt ?? 0));
    if (isBetter) [best, bestScore] = [process, score];
  }
  return best;
}

/** The process that has been free for longest; undefined if there is none. */
export function leastRecentlyUsed(processes: Iterable<SandboxProcess>): SandboxProcess | undefined {
  let oldest: SandboxProcess | undefined;
  for (const process of processes) {
    if (process.lastUsedAt < (oldest?.lastUsedAt ?? Infinity)) oldest = process;
  }
  return oldest;
}

/**
 * Sets aside a free process for a run that none fits: one that can serve it when its work has ended, or otherwise one to replace
 * if `mayReplace`. Without it, later runs would get each process as soon as it is free, for as long as there are any.
 */
export function setAside(
  aside: Set<SandboxProcess>,
  free: ReadonlySet<SandboxProcess>,
  request: LeaseRequest,
  mayReplace: () => boolean,
): void {
  const others = [...free.difference(aside)];
  const process =
    others.find((other) => canServe(other, request) && other.prewarmed?.isReady !== false) ??
    (mayReplace() ? leastRecentlyUsed(others) : undefined);
  if (process !== undefined) aside.add(process);
}

/** How many processes match. */
export function countWhere(
  processes: Iterable<SandboxProcess>,
  matches: (process: SandboxProcess) => boolean,
): number {
  let count = 0;
  for (const process of processes) if (matches(process)) count += 1;
  return count;
}
