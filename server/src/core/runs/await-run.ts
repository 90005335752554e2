import type { Run } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { holdWait } from "#core/limits";
import { getRun } from "./get-run.ts";

/**
 * The record of a run once it has ended, on whatever node, or as it is when the wait is over; at once when
 * too many requests wait already. Throws `run_not_found`.
 */
export async function awaitRun(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<Run> {
  const release = waitMs > 0 ? holdWait(context, caller) : undefined;
  try {
    return await waitForEnd(context, caller, runId, { signal, waitMs: release ? waitMs : 0 });
  } finally {
    release?.();
  }
}

async function waitForEnd(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<Run> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    // Registered before the look, so that no end comes between the two.
    const waiter = context.runs.completions.wait(runId);
    try {
      const run = await getRun(context, caller, runId);
      const leftMs = deadline - performance.now();
      if (run.status !== "running" || leftMs <= 0 || signal.aborted || context.cluster.isStopping) {
        return run;
      }
      await settled(waiter.ended, signal, leftMs);
    } finally {
      waiter.cancel();
    }
  }
}

async function settled(ended: Promise<boolean>, signal: AbortSignal, waitMs: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(done, waitMs);
  signal.addEventListener("abort", done, { once: true });
  try {
    await Promise.race([ended, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", done);
  }
}
