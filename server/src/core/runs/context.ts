import type { Sandbox } from "@toolhost/sandbox";
import type { Config } from "#config";
import type { FilesContext } from "#core/files";
import type { VaultContext } from "#core/vault";
import type { ActiveRuns } from "./active-runs.ts";
import { createAdmission } from "./admission.ts";
import type { Admission } from "./admission.ts";
import { createChildPlaces } from "./child-places.ts";
import type { ChildPlaces } from "./child-places.ts";
import { createQueueCounts } from "./queue-room.ts";
import type { QueueCounts } from "./queue-room.ts";
import { createRelay } from "./relay/relay.ts";
import type { Relay } from "./relay/relay.ts";
import { createRunBytes } from "./run-bytes.ts";
import type { RunBytes } from "./run-bytes.ts";
import { createCompletions } from "./completions.ts";
import type { Completions } from "./completions.ts";
import { createRunQueue } from "./run-queue.ts";
import type { RunQueue } from "./run-queue.ts";

export type RunsContext = VaultContext & FilesContext & { sandbox: Sandbox; runs: RunsState };

/** Runs of this process, and those that wait for them. */
export type RunsState = {
  admission: Admission;
  /** Slots of runs that other runs wait for. */
  childPlaces: ChildPlaces;
  queue: RunQueue;
  queueCounts: QueueCounts;
  runBytes: RunBytes;
  activeRuns: ActiveRuns;
  completions: Completions;
  /** Waiters in this process for messages that other nodes send. */
  relay: Relay;
};

export function createRunsState(config: Config): RunsState {
  const queue = createRunQueue();
  return {
    admission: createAdmission({
      perWorkspace: config.WORKSPACE_MAX_CONCURRENT_RUNS,
      perNode: config.NODE_MAX_CONCURRENT_RUNS ?? config.SANDBOX_MAX_PROCESSES,
      // Where nothing is queued, a finished run does not cost a query of the queue.
      onLeave: () => {
        if (!queue.isEmpty()) queue.wake();
      },
    }),
    childPlaces: createChildPlaces({
      places: config.SANDBOX_CHILD_PROCESSES,
      depths: config.RUN_CHILD_DEPTH,
    }),
    queue,
    queueCounts: createQueueCounts(),
    runBytes: createRunBytes(),
    activeRuns: new Map(),
    completions: createCompletions(),
    relay: createRelay(),
  };
}
