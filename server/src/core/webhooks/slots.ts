import type { WebhookTable } from "#db";

/** Webhooks with requests in progress on this node, in total and of one workspace. Slow ones get at most half of both. */
const maxBusy = 32;
const maxBusyOfWorkspace = 4;
/** A batch that takes longer makes its webhook slow. */
const slowMs = 2_000;
/** How long it remains slow, in times of the batch, so that a fast response now and then changes little. */
const slowFactor = 10;

type Due = Pick<WebhookTable, "id" | "workspace_id">;
type Busy = { workspaceId: string; startedAt: number; isSlow: boolean; done: Promise<void> };

const slowOf = (some: readonly Busy[]) => {
  const startedBefore = performance.now() - slowMs;
  return some.filter((one) => one.isSlow || one.startedAt < startedBefore).length;
};

/** Decides which webhooks get the slots of this node, so that slow ones delay no others. */
export function createSlots() {
  const busy = new Map<string, Busy>();
  /** The times at which webhooks are no longer slow. */
  const slowUntil = new Map<string, number>();

  const isSlow = (id: string) => slowUntil.has(id);
  const isFull = () => busy.size >= maxBusy;
  /** The busy slots of a webhook's workspace; undefined if no slot is free for it. */
  const rank = ({ id, workspace_id: workspaceId }: Due): number | undefined => {
    const all = [...busy.values()];
    const own = all.filter((one) => one.workspaceId === workspaceId);
    if (own.length >= maxBusyOfWorkspace) return undefined;
    if (!isSlow(id)) return own.length;
    const isFree = slowOf(all) < maxBusy / 2 && slowOf(own) < maxBusyOfWorkspace / 2;
    // After the others of the workspace.
    return isFree ? own.length + 0.5 : undefined;
  };
  const forget = () => {
    const now = performance.now();
    for (const [id, until] of slowUntil) if (until <= now) slowUntil.delete(id);
  };
  return {
    isSlow,
    isFull,
    busyIds: () => [...busy.keys()],
    inProgress: () => [...busy.values()].map(({ done }) => done),
    /** The webhook that gets the next slot: of the workspace with the fewest busy slots. Undefined if no slot is free for any. */
    choose: <Webhook extends Due>(due: ReadonlySet<Webhook>): Webhook | undefined => {
      if (isFull()) return undefined;
      forget();
      let best: { webhook: Webhook; rank: number } | undefined;
      for (const webhook of due) {
        const own = rank(webhook);
        if (own !== undefined && (best === undefined || own < best.rank))
          best = { webhook, rank: own };
      }
      return best?.webhook;
    },
    take: ({ id, workspace_id: workspaceId }: Due, done: Promise<void>) => {
      busy.set(id, { workspaceId, startedAt: performance.now(), isSlow: isSlow(id), done });
    },
    /** Ends the batch of a webhook, and notes whether it was slow. */
    release: (id: string) => {
      const now = performance.now();
      const ms = now - (busy.get(id)?.startedAt ?? now);
      busy.delete(id);
      if (ms >= slowMs) slowUntil.set(id, now + slowFactor * ms);
    },
  };
}
