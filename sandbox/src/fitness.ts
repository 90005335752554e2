import type { SandboxProcess } from "./process.ts";
import type { LeaseRequest } from "./lease-queue.ts";

/** How well a free process suits a run; 0 when it may not or cannot serve it. */
export function fitness(process: SandboxProcess, request: LeaseRequest): number {
  const { workspaceId, prewarmed, lines, lastKey } = process;
  if (workspaceId === undefined) return 1;
  if (workspaceId !== request.workspaceId) return 0;
  // Another's run would pay for what the last one's tool left behind.
  if (!lines.isIdle && lastKey !== request.key) return 0;
  if (prewarmed?.key === request.key && request.isolation === "fresh") return 6;
  // Still evaluating a module for another tool.
  if (prewarmed?.isReady === false) return 0;
  if (process.isolates.has(request.key) && request.isolation === "reuse") return 5;
  const prewarmedPenalty = prewarmed === undefined ? 0 : 1;
  return (process.codes.has(request.codeId) ? 4.5 : 3) - prewarmedPenalty;
}
