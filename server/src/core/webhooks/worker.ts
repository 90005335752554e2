import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookTable } from "#db";
import { createSlots } from "./slots.ts";

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
  deliver: (
    webhook: WebhookTable,
    how: { signal: AbortSignal; isSlow: boolean },
  ) => Promise<boolean>;
  onError: (error: unknown) => void;
};

/** Time to record that an attempt was aborted. */
const abortMs = 3_000;

export function createDeliveryWorker(): DeliveryWorker {
  const slots = createSlots();
  const stopping = new AbortController();
  const state = { isStopped: false, isWanted: false };
  let parts: WorkerParts | undefined;
  let looking: Promise<void> | undefined;

  const start = (webhook: WebhookTable, { deliver, onError }: WorkerParts) => {
    const isSlow = slots.isSlow(webhook.id);
    const done = deliver(webhook, { signal: stopping.signal, isSlow })
      .catch((error: unknown) => {
        onError(error);
        return false;
      })
      .then((isMore) => {
        slots.release(webhook.id);
        if (isMore) kick();
      });
    slots.take(webhook, done);
  };
  const look = async (given: WorkerParts) => {
    while (state.isWanted && !state.isStopped && !slots.isFull()) {
      state.isWanted = false;
      const due = new Set(await given.findDue(slots.busyIds()));
      for (let next = slots.choose(due); next !== undefined; next = slots.choose(due)) {
        if (state.isStopped) return;
        due.delete(next);
        start(next, given);
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
      const left = Promise.all(slots.inProgress());
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.race([left, sleep(graceMs + abortMs, undefined, { ref: false })]);
      clearTimeout(timer);
    },
  };
}
