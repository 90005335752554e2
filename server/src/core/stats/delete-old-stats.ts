import type { Database } from "#db";
import { findCountedHours } from "./stats-store.ts";
import { hourMs } from "./tally.ts";
import { dayMs } from "./usage-store.ts";

/** Longer than the longest range. */
const retainedMs = 32 * dayMs;
/** Longer than the longest range that starts within a day. */
const retainedUsageMs = 8 * dayMs;

/** Deletes figures that no range contains, of one hour or of the hours of one day at a time. Returns whether there were some. */
export async function deleteOldStats(db: Database, now: number): Promise<number> {
  const { kysely } = db;
  const used = await kysely
    .selectFrom("run_usage")
    .select("hour")
    .where("hour", "<", now - retainedUsageMs)
    .orderBy("hour")
    .limit(1)
    .executeTakeFirst();
  if (used !== undefined && (await isDayCounted(db, used.hour))) {
    await kysely.deleteFrom("run_usage").where("hour", "=", used.hour).execute();
    return 1;
  }
  const counted = await kysely
    .selectFrom("run_stats_hours")
    .select("hour")
    .where("hour", "<", now - retainedMs)
    .orderBy("hour")
    .limit(1)
    .executeTakeFirst();
  if (counted === undefined) return 0;
  const { hour } = counted;
  await db.transact([
    kysely.deleteFrom("run_stats").where("hour", "=", hour).compile(),
    kysely.deleteFrom("run_usage").where("hour", "=", hour).compile(),
    kysely
      .deleteFrom("run_usage_days")
      .where("day", "<=", hour - dayMs + hourMs)
      .compile(),
    kysely.deleteFrom("run_stats_hours").where("hour", "=", hour).compile(),
  ]);
  return 1;
}

/** Until all hours of a day are counted, its sums need them. */
async function isDayCounted(db: Database, hour: number): Promise<boolean> {
  const day = Math.floor(hour / dayMs) * dayMs;
  const hours = await findCountedHours(db, { from: day, to: day + dayMs });
  return hours.length === dayMs / hourMs;
}
