import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookTable } from "#db";

/** Delivers the events of several webhooks concurrently. */
export type DeliveryWorker = {
  /** Looks for due deliveries, unless it is stopped or not started yet. */
  kick(): void;
  start(parts: WorkerParts): void;
  /** Looks for no more deliveries, and waits for those in progress; after the grace time they are aborted. */
  stop(graceMs: number): Promise<void>;
};

type WorkerParts = {
  findDue: (except: readonly string[]) => Promise<readonly WebhookTable[]>;
  /** Delivers a batch. Returns false if nothing was due. */
  deliver: (webhook: WebhookTable, signal: AbortSignal) => Promise<boolean>;
  onError: (error: unknown) => void;
};

/** Webhooks with requests in progress on this node, in total and of one workspace. */
const maxBusy = 32;
const maxBusyOfWorkspace = 4;
/** Time to record that an attempt was aborted. */
const abortMs = 3_000;

export function createDeliveryWorker(): DeliveryWorker {
  const busy = new Map<string, { workspaceId: string; done: Promise<void> }>();
  const stopping = new AbortController();
  const state = { isStopped: false, isWanted: false };
  let parts: WorkerParts | undefined;
  let looking: Promise<void> | undefined;

  const start = (webhook: WebhookTable, { deliver, onError }: WorkerParts) => {
    const done = deliver(webhook, stopping.signal)
      .catch((error: unknown) => {
        onError(error);
        return false;
      })
      .then((isMore) => {
        busy.delete(webhook.id);
        if (isMore) kick();
      });
    busy.set(webhook.id, { workspaceId: webhook.workspace_id, done });
  };
  const look = async (given: WorkerParts) => {
    while (state.isWanted && !state.isStopped && busy.size < maxBusy) {
      state.isWanted = false;
      for (const webhook of await given.findDue([...busy.keys()])) {
        const { workspace_id: workspaceId } = webhook;
        const ofWorkspace = [...busy.values()].filter((one) => one.workspaceId === workspaceId);
        if (state.isStopped || busy.size >= maxBusy) return;
        if (ofWorkspace.length < maxBusyOfWorkspace) start(webhook, given);
      }
    }
  };
  const kick = () => {
    if (state.isStopped || parts === undefined) return;
    state.isWanted = true;
    looking ??= look(parts)
      .catch(parts.onError)
      .finally(() => {
        looking = undefined;
      });
  };
  return {
    kick,
    start: (given) => {
      parts = given;
      kick();
    },
    stop: async (graceMs) => {
      state.isStopped = true;
      await looking;
      const left = Promise.all([...busy.values()].map(({ done }) => done));
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.race([left, sleep(graceMs + abortMs, undefined, { ref: false })]);
      clearTimeout(timer);
    },
  };
}
