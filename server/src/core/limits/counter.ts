import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Database } from "#db";

/** Counts the points of each key in its current window. */
export type Counter = {
  /** Adds points regardless of the limit. Returns the window's total and its remaining time. */
  add(key: string, points: number): Promise<{ total: number; msLeft: number }>;
};

/** A counter to which points can be returned during their window. */
export type RefundingCounter = Counter & { refund(key: string, points: number): Promise<void> };

/** Counts in memory. A window starts with a key's first point, and a restart resets it. */
export function createMemoryCounter(windowMs: number): Counter {
  // The caller of `add` enforces the limit, so the library's own limit is not used.
  const limiter = new RateLimiterMemory({ points: 0, duration: windowMs / 1_000 });
  return {
    add: async (key, points) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return { total: consumedPoints, msLeft: msBeforeNext };
    },
  };
}

const tables = ["rate_limits", "quota_uses"] as const;

type Options = {
  table: (typeof tables)[number];
  windowMs: number;
  /** Windows start at multiples of their length in Unix time, so a day is a UTC day. Otherwise the first point starts one. */
  isAligned: boolean;
};

/**
 * Counts in the database, for all nodes that share it. It uses the database's time, because a node with a wrong clock would
 * shorten or extend the windows of all others. The library's own store uses the process's time.
 */
export function createDatabaseCounter(db: Database, options: Options): RefundingCounter {
  const { table, windowMs, isAligned } = options;
  const now = db.now().compile(db.kysely).sql;
  const end = isAligned ? `(${now} / ${windowMs} + 1) * ${windowMs}` : `${now} + ${windowMs}`;
  // The time is read once, into `excluded`, so that both columns agree on whether the window has ended.
  const isOver = `c.expire <= excluded.expire - ${windowMs}`;
  const add = {
    name: `count_${table}_${windowMs}_${isAligned}`,
    text: `insert into ${table} as c (key, points, expire) values (?, ?, ${end})
      on conflict (key) do update set
        points = case when ${isOver} then excluded.points else c.points + excluded.points end,
        expire = case when ${isOver} then excluded.expire else c.expire end
      returning points as total, expire - ${now} as "msLeft"`,
  };
  const refund = {
    name: `uncount_${table}`,
    text: `update ${table} set points = points - ? where key = ? and expire > ${now}`,
  };
  return {
    add: async (key, points) => {
      const [row] = await db.query<{ total: number; msLeft: number }>(add, [key, points]);
      if (row === undefined) throw new Error("The counter returned no row");
      return row;
    },
    refund: async (key, points) => void (await db.query(refund, [points, key])),
  };
}

/** Deletes the counts of past windows. Any node may do so at any time. */
export async function deleteOldCounts(db: Database): Promise<void> {
  for (const table of tables) {
    await db.kysely.deleteFrom(table).where("expire", "<=", db.now()).execute();
  }
}
