import type { Counter } from "./counter.ts";

/** The result of taking a point. `remaining` and `msLeft` are the window's, as far as this node knows. */
export type Taken = {
  isAllowed: boolean;
  remaining: number;
  msLeft: number;
  /** Returns the point, for a request that another limit refused. */
  refund: () => void;
};

/** Points of one limit, leased from its counter in blocks and served from memory. */
export type Leases = {
  /** Leases points if `take` would have to, which then does not wait. Undefined if there are points, or none until the window ends. */
  refillIfEmpty(subject: string): Promise<void> | undefined;
  /** Takes one point. Throws the errors of the counter. */
  take(subject: string): Promise<Taken>;
  /** Removes and returns the unused points. */
  drain(): { subject: string; points: number }[];
  /** Subjects in memory. */
  size(): number;
};

type Lease = {
  /** Points left in this lease. */
  points: number;
  /** Points left in the counter at the last refill. */
  left: number;
  endsAt: number;
};

type Options = {
  counter: Counter;
  limit: number;
  /** Before a name of the counter's keys, so that limits may share a counter. */
  name: string;
  /** The maximum number of subjects in memory; an evicted subject loses its unused lease. */
  maxSubjects?: number;
};

/** The size of a lease: small, so that one node reserves few unused points. */
export function blockOf(limit: number): number {
  return Math.min(50, Math.max(1, Math.floor(limit / 30)));
}

/**
 * A database query per request would cost more than many requests do, so points are leased in blocks. All nodes together never
 * exceed the limit of a window. Each may have up to a block minus one point unused, which expires with the window.
 */
export function createLeases({ counter, limit, name, maxSubjects = 50_000 }: Options): Leases {
  const leases = new Map<string, Lease>();
  const refills = new Map<string, Promise<void>>();
  const block = blockOf(limit);

  const refill = async (subject: string) => {
    // Measured before the query, so that a lease never outlasts its window, however slow the query is.
    const askedAt = performance.now();
    const { total, msLeft } = await counter.add(`${name}:${subject}`, block);
    const points = Math.min(block, Math.max(0, limit - (total - block)));
    const left = Math.max(0, limit - total);
    const endsAt = askedAt + msLeft;
    const lease = leases.get(subject);
    if (lease !== undefined && performance.now() < lease.endsAt) {
      lease.points += points;
      lease.left = left;
      lease.endsAt = endsAt;
      return;
    }
    leases.delete(subject);
    evictOldest(leases, maxSubjects - 1);
    leases.set(subject, { points, left, endsAt });
  };

  /** Concurrent requests without a point share one refill. */
  const shareRefill = (subject: string): Promise<void> => {
    let underWay = refills.get(subject);
    if (underWay === undefined) {
      underWay = refill(subject).finally(() => refills.delete(subject));
      refills.set(subject, underWay);
    }
    return underWay;
  };

  return {
    refillIfEmpty(subject) {
      const lease = leases.get(subject);
      const isLive = lease !== undefined && lease.endsAt > performance.now();
      return isLive && (lease.points > 0 || lease.left === 0) ? undefined : shareRefill(subject);
    },
    async take(subject) {
      for (;;) {
        const lease = leases.get(subject);
        const msLeft = lease === undefined ? 0 : lease.endsAt - performance.now();
        if (lease !== undefined && msLeft > 0) {
          if (lease.points > 0) {
            lease.points -= 1;
            const refund = () => void (lease.points += 1);
            return { isAllowed: true, remaining: lease.points + lease.left, msLeft, refund };
          }
          // The counter is at its limit until the window ends, so it is not queried again.
          if (lease.left === 0) {
            return { isAllowed: false, remaining: 0, msLeft, refund: () => undefined };
          }
        }
        await shareRefill(subject);
      }
    },
    drain: () => drain(leases),
    size: () => leases.size,
  };
}

function drain(leases: Map<string, Lease>): { subject: string; points: number }[] {
  const now = performance.now();
  return [...leases].flatMap(([subject, lease]) => {
    const { points, endsAt } = lease;
    lease.points = 0;
    return points > 0 && endsAt > now ? [{ subject, points }] : [];
  });
}

/** Deletes leases whose window has ended, and the oldest ones while there are too many. The map is ordered by age. */
function evictOldest(leases: Map<string, Lease>, keep: number): void {
  const now = performance.now();
  for (const [subject, { endsAt }] of leases) {
    if (endsAt > now && leases.size <= keep) return;
    leases.delete(subject);
  }
}
