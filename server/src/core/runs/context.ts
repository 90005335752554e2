import type { Sandbox } from "@toolhost/sandbox";
import type { Config } from "#config";
import type { FilesContext } from "#core/files";
import type { VaultContext } from "#core/vault";
import type { WebhooksContext } from "#core/webhooks";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";
import type { ActiveRuns } from "./active-runs.ts";
import { createChildSlots } from "./children/child-slots.ts";
import type { ChildSlots } from "./children/child-slots.ts";
import { createCompletions } from "./completions.ts";
import type { Completions } from "./completions.ts";
import { createAdmission } from "./queue/admission.ts";
import type { Admission } from "./queue/admission.ts";
import { createLoadElsewhere } from "./queue/load-elsewhere.ts";
import type { LoadElsewhere } from "./queue/load-elsewhere.ts";
import { createRunQueue } from "./queue/run-queue.ts";
import type { RunQueue } from "./queue/run-queue.ts";
import { createRelay } from "./relay/relay.ts";
import type { Relay } from "./relay/relay.ts";

export type RunsContext = VaultContext &
  FilesContext &
  WebhooksContext & { sandbox: Sandbox; runs: RunsState };

/** The runs of this process, and what waits for them. */
export type RunsState = {
  admission: Admission;
  childSlots: ChildSlots;
  queue: RunQueue;
  activeRuns: ActiveRuns;
  completions: Completions;
  /** The runs of workspaces on other nodes. */
  loadElsewhere: LoadElsewhere;
  /** Listeners in this process for messages of other nodes. */
  relay: Relay;
  /** IDs of the last runs that may be this node's in the database although it has not started their tools. */
  notStarted: Set<string>;
  /** The bytes of each workspace's stored runs when last read, with those that this node has added since. */
  storedBytes: LruMap<string, { bytes: number; readAt: number }>;
};

const maxStoredBytes = 5_000;

export function createRunsState(config: Config): RunsState {
  const queue = createRunQueue();
  return {
    admission: createAdmission({
      perWorkspace: config.WORKSPACE_MAX_CONCURRENT_RUNS,
      perNode: config.NODE_MAX_CONCURRENT_RUNS ?? config.SANDBOX_MAX_PROCESSES,
      onRelease: queue.wakeIfQueued,
    }),
    childSlots: createChildSlots({
      slots: config.SANDBOX_CHILD_PROCESSES,
      depths: config.RUN_CHILD_DEPTH,
    }),
    queue,
    activeRuns: new Map(),
    completions: createCompletions(),
    relay: createRelay(),
    notStarted: new Set(),
    loadElsewhere: createLoadElsewhere(),
    storedBytes: createLruMap(maxStoredBytes),
  };
}
