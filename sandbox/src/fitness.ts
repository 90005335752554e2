import type { SandboxProcess } from "./process.ts";
import type { Want } from "./waiting-line.ts";

/** How well a free process suits a run; 0 when it may not or cannot serve it. */
export function fitness(process: SandboxProcess, want: Want): number {
  const { workspaceId, parked, lines, lastKey } = process;
  if (workspaceId === undefined) return 1;
  if (workspaceId !== want.workspaceId) return 0;
  // Another's run would pay for what the last one's tool left behind.
  if (!lines.isQuiet && lastKey !== want.key) return 0;
  if (parked?.key === want.key && want.isolation === "fresh") return 6;
  // Still evaluating a module for another tool.
  if (parked?.isReady === false) return 0;
  if (process.isolates.has(want.key) && want.isolation === "reuse") return 5;
  const parkedMalus = parked === undefined ? 0 : 1;
  return (process.codes.has(want.codeId) ? 4.5 : 3) - parkedMalus;
}
