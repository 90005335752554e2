import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Database } from "#db";

/** Counts the points that were taken under a key in the window it is in. */
export type Counter = {
  /** Adds points, whatever the limit is. Gives the window's total and how long the window lasts still. */
  add(key: string, points: number): Promise<{ total: number; msLeft: number }>;
};

/** A counter that takes points back, as long as their window lasts. */
export type RefundingCounter = Counter & { giveBack(key: string, points: number): Promise<void> };

/** Counts in this process: a window begins with a key's first point, and a restart forgets all. */
export function createMemoryCounter(windowMs: number): Counter {
  // Who adds decides what is too much; the library's own verdict is not asked for.
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
  /** Windows lie on multiples of their length in Unix time, so a day is a day of UTC; else the first point begins one. */
  isAligned: boolean;
};

/**
 * Counts in the database, for all nodes that share it. The time is the database's and never a node's: a
 * node whose clock is wrong would end the windows of all others, or stretch them. That is why this is a
 * statement of ours and not the library's store, which compares with the time of its process.
 */
export function createDatabaseCounter(db: Database, options: Options): RefundingCounter {
  const { table, windowMs, isAligned } = options;
  const now = db.now().compile(db.kysely).sql;
  const end = isAligned ? `(${now} / ${windowMs} + 1) * ${windowMs}` : `${now} + ${windowMs}`;
  // The time is read once, into `excluded`, so that both columns agree on whether the window is over.
  const isOver = `c.expire <= excluded.expire - ${windowMs}`;
  const add = {
    name: `count_${table}_${windowMs}_${isAligned}`,
    text: `insert into ${table} as c (key, points, expire) values (?, ?, ${end})
      on conflict (key) do update set
        points = case when ${isOver} then excluded.points else c.points + excluded.points end,
        expire = case when ${isOver} then excluded.expire else c.expire end
      returning points as total, expire - ${now} as "msLeft"`,
  };
  const giveBack = {
    name: `uncount_${table}`,
    text: `update ${table} set points = points - ? where key = ? and expire > ${now}`,
  };
  return {
    add: async (key, points) => {
      const [row] = await db.query<{ total: number; msLeft: number }>(add, [key, points]);
      if (row === undefined) throw new Error("A counter gave no row");
      return row;
    },
    giveBack: async (key, points) => void (await db.query(giveBack, [points, key])),
  };
}

/** Deletes the counts of windows that are over. Any node may do so at any time. */
export async function deleteOldCounts(db: Database): Promise<void> {
  for (const table of tables) {
    await db.kysely.deleteFrom(table).where("expire", "<=", db.now()).execute();
  }
}
