import type { Host, ToolResult } from "./host.ts";
import { readResult } from "./read-result.ts";

/** How long one look waits for the end. Short, as a look also brings the progress. */
const waitSeconds = 3;
const maxFailures = 8;

/**
 * Looks at a run again and again and hands on what is seen, until that says to stop. Throws when several looks in a
 * row have failed.
 */
export async function followRun(
  callTool: NonNullable<Host["callTool"]>,
  { runId, firstMs }: { runId: string; firstMs: number },
  onSeen: (result: ToolResult) => boolean,
): Promise<void> {
  let failures = 0;
  let pauseMs = firstMs;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      const args = { run_id: runId, wait_seconds: waitSeconds };
      const result = await callTool("service_check_run", args);
      failures = 0;
      if (!onSeen(result)) return;
      // The look itself has waited.
      pauseMs = Math.min(1_000, readResult(result).pollAfterMs);
    } catch (error) {
      failures += 1;
      if (failures >= maxFailures) throw error;
      pauseMs = Math.min(30_000, 1_000 * 2 ** failures);
    }
  }
}
