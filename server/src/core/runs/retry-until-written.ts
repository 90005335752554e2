import { setTimeout as sleep } from "node:timers/promises";
import type { RunsContext } from "./context.ts";

const firstPauseMs = 50;
const maxPauseMs = 3_000;
/** How long the service retries during a shutdown. */
const shutdownRetryMs = 5_000;

/**
 * Retries for as long as the database is unavailable, since a run's result must survive an outage. The run occupies its
 * slot in the meantime, so that results cannot accumulate.
 */
export async function retryUntilWritten<T>(
  { cluster, log }: Pick<RunsContext, "cluster" | "log">,
  write: () => Promise<T>,
): Promise<T> {
  let stoppingSince: number | undefined;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return await write();
    } catch (error) {
      if (cluster.isStopping) stoppingSince ??= performance.now();
      const isOver =
        stoppingSince !== undefined && performance.now() - stoppingSince > shutdownRetryMs;
      if (isOver) throw error;
      log.debug({ err: error }, "could not write the end of a run yet");
      await sleep(pause);
    }
  }
}
