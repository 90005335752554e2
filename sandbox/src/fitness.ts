import type { SandboxProcess } from "./process.ts";
import type { LeaseRequest } from "./lease-request.ts";

/** How well a free process suits a run. 0 if it may not or cannot serve it. */
export function fitness(process: SandboxProcess, request: LeaseRequest): number {
  const { workspaceId, prewarmed, lines, lastKey } = process;
  if (workspaceId === undefined) return 1;
  if (workspaceId !== request.workspaceId) return 0;
  // The CPU time of leftover work would be charged to a run of another tool or user.
  if (!lines.isIdle && lastKey !== request.key) return 0;
  if (prewarmed?.key === request.key && request.isolation === "fresh") return 6;
  // The process is still evaluating the module of another tool.
  if (prewarmed?.isReady === false) return 0;
  if (process.isolates.has(request.key) && request.isolation === "reuse") return 5;
  const prewarmedPenalty = prewarmed === undefined ? 0 : 1;
  return (process.codes.has(request.codeId) ? 4.5 : 3) - prewarmedPenalty;
}
