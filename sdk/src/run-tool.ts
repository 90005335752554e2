import { RunFailedError } from "./errors.ts";
import type { Files } from "./files.ts";
import { uploadInputFiles } from "./input-files.ts";
import type { Runs, WaitOptions } from "./runs.ts";
import { withTimeout } from "./timeout.ts";

/** Options of `run`. */
export type RunOptions = WaitOptions;

/** Short, so that a `TimeoutError` knows the ID of the run. */
const firstWaitMs = 25_000;

/** Runs a tool until its end and returns its output. Throws `RunFailedError` if the tool fails or the run is cancelled. */
export async function runTool(
  { runs, files }: { runs: Runs; files: Files },
  toolName: string,
  input: unknown,
  options: RunOptions = {},
): Promise<unknown> {
  const { timeoutMs, onLog, onProgress, onQuestion, ...call } = options;
  const startedAt = Date.now();
  const leftMs = () =>
    timeoutMs === undefined ? undefined : Math.max(0, timeoutMs - (Date.now() - startedAt));
  const listeners = { onLog, onProgress, onQuestion };
  const isReporting = Object.values(listeners).some((listener) => listener !== undefined);
  const message = `The service did not respond within ${timeoutMs} ms. The run may have started.`;
  const started = await withTimeout({ signal: call.signal, timeoutMs, message }, async (signal) => {
    const body = await uploadInputFiles(files, input, { ...call, signal });
    const waitMs = isReporting ? 0 : Math.min(firstWaitMs, (leftMs() ?? Infinity) / 2);
    return runs.start(toolName, body, { ...call, signal, waitMs });
  });
  const ended =
    started.status === "running" || isReporting
      ? await runs.wait(started.runId, { ...call, timeoutMs: leftMs(), ...listeners })
      : started;
  if (ended.status !== "completed") throw new RunFailedError(ended);
  return ended.output;
}
