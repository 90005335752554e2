import type { Host, ToolResult } from "./host.ts";
import { parseResult } from "./parse-result.ts";

/** How long one request waits for the end of the run. Short, because each response also has the progress. */
const waitSeconds = 3;
const maxFailures = 8;

/** Polls a run until `onResult` returns false. Throws if several requests in a row fail. */
export async function pollRun(
  callTool: NonNullable<Host["callTool"]>,
  { runId, delayMs }: { runId: string; delayMs: number },
  onResult: (result: ToolResult) => boolean,
): Promise<void> {
  let failures = 0;
  let pauseMs = delayMs;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      const args = { run_id: runId, wait_seconds: waitSeconds };
      const result = await callTool("service_check_run", args);
      failures = 0;
      if (!onResult(result)) return;
      // The request has already waited.
      pauseMs = Math.min(1_000, parseResult(result).pollAfterMs);
    } catch (error) {
      failures += 1;
      if (failures >= maxFailures) throw error;
      pauseMs = Math.min(30_000, 1_000 * 2 ** failures);
    }
  }
}
