import type { Counter } from "./counter.ts";

/** What taking a point gave. `remaining` and `msLeft` are the window's, as far as this process knows. */
export type Taken = {
  isAllowed: boolean;
  remaining: number;
  msLeft: number;
  /** Takes the point back, for a request that another limit refused. */
  giveBack: () => void;
};

/** Points of one limit, taken from its counter in blocks and handed out in memory. */
export type Leases = {
  /** Takes one point. Throws what the counter throws when it has to be asked. */
  take(subject: string): Promise<Taken>;
  /** Takes out of the leases what nobody has used. */
  drain(): { subject: string; points: number }[];
  /** Subjects in memory. */
  size(): number;
};

type Lease = {
  /** Points that are ours to hand out. */
  points: number;
  /** What the counter had left when it was asked last. */
  left: number;
  endsAt: number;
};

type Options = {
  counter: Counter;
  limit: number;
  /** Before a name of the counter's keys, so that limits may share a counter. */
  name: string;
  /** More subjects than this are not kept; who is forgotten loses what was leased. */
  maxSubjects?: number;
};

/** Points that are taken from a counter at once: so few that what lies unused in one node is little. */
export function blockOf(limit: number): number {
  return Math.min(50, Math.max(1, Math.floor(limit / 30)));
}

/**
 * Asking a database for each request costs more than many requests, so points come in blocks.
 * All nodes together never hand out more than the limit in a window; each may hold at most a block less one
 * point that it does not use, and they lapse with the window.
 */
export function createLeases({ counter, limit, name, maxSubjects = 50_000 }: Options): Leases {
  const leases = new Map<string, Lease>();
  const refills = new Map<string, Promise<void>>();
  const block = blockOf(limit);

  const refill = async (subject: string) => {
    // From before the question, so that a lease ends no later than its window, however slow the answer.
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
    forgetOldest(leases, maxSubjects - 1);
    leases.set(subject, { points, left, endsAt });
  };

  /** All who find no point at the same time wait for one answer. */
  const shareRefill = (subject: string): Promise<void> => {
    let underWay = refills.get(subject);
    if (underWay === undefined) {
      underWay = refill(subject).finally(() => refills.delete(subject));
      refills.set(subject, underWay);
    }
    return underWay;
  };

  return {
    async take(subject) {
      for (;;) {
        const lease = leases.get(subject);
        const msLeft = lease === undefined ? 0 : lease.endsAt - performance.now();
        if (lease !== undefined && msLeft > 0) {
          if (lease.points > 0) {
            lease.points -= 1;
            const giveBack = () => void (lease.points += 1);
            return { isAllowed: true, remaining: lease.points + lease.left, msLeft, giveBack };
          }
          // The counter is at its limit until the window ends, so it is not asked again.
          if (lease.left === 0) {
            return { isAllowed: false, remaining: 0, msLeft, giveBack: () => undefined };
          }
        }
        await shareRefill(subject);
      }
    },
    drain() {
      const now = performance.now();
      return [...leases].flatMap(([subject, lease]) => {
        const { points, endsAt } = lease;
        lease.points = 0;
        return points > 0 && endsAt > now ? [{ subject, points }] : [];
      });
    },
    size: () => leases.size,
  };
}

/** Forgets those whose window is over, and more while there are too many. The oldest stand first in the map. */
function forgetOldest(leases: Map<string, Lease>, keep: number): void {
  const now = performance.now();
  for (const [subject, { endsAt }] of leases) {
    if (endsAt > now && leases.size <= keep) return;
    leases.delete(subject);
  }
}
