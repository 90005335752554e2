import { sql } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunStatsHourTable, RunStatsTable, TransactionStep } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";
import { hourMs } from "./counted-run.ts";

/** The hours from a time on whose runs are counted, oldest first. */
export async function findCountedHours(
  { kysely }: Database,
  from: number,
): Promise<RunStatsHourTable[]> {
  return kysely
    .selectFrom("run_stats_hours")
    .selectAll()
    .where("hour", ">=", from)
    .orderBy("hour")
    .execute();
}

/** The time of the newest run that was created before a time. */
export async function findRunBefore(
  { kysely }: Database,
  before: number,
): Promise<string | undefined> {
  const row = await kysely
    .selectFrom("runs")
    .select("id")
    .where("id", "<", idFloor(before))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Whether the workspace has runs that were created in a time. */
export async function hasRuns(
  db: Database,
  { workspaceId }: RunViewer,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const ids = { from: idFloor(from), before: idFloor(to) };
  const { isWithin, newestFirst } = indexRange(db, {
    columns: { workspace_id: workspaceId },
    ...ids,
  });
  const runs = db.kysely.selectFrom("runs").select("id").where(isWithin);
  return (await runs.orderBy(newestFirst).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether runs that were created in an hour have not ended. */
export async function hasUnfinishedRuns({ kysely }: Database, hour: number): Promise<boolean> {
  const row = await kysely
    .selectFrom("runs")
    .select("id")
    // A literal, because the partial index of running runs is used only if the statement shows its condition.
    .where(sql<boolean>`status = 'running'`)
    .where("id", ">=", idFloor(hour))
    .where("id", "<", idFloor(hour + hourMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows per statement: PostgreSQL allows 65,535 values. */
const maxRows = 1_000;

/** The steps that replace the figures of an hour. */
export function replaceHour(
  { kysely }: Database,
  counted: RunStatsHourTable,
  rows: readonly RunStatsTable[],
): TransactionStep[] {
  const { hour, ...state } = counted;
  const inserts: TransactionStep[] = [];
  for (let start = 0; start < rows.length; start += maxRows) {
    const part = rows.slice(start, start + maxRows);
    inserts.push(kysely.insertInto("run_stats").values(part).compile());
  }
  return [
    kysely
      .insertInto("run_stats_hours")
      .values(counted)
      .onConflict((conflict) => conflict.column("hour").doUpdateSet(state))
      .compile(),
    kysely.deleteFrom("run_stats").where("hour", "=", hour).compile(),
    ...inserts,
  ];
}

/** Records that hours have no runs. */
export async function markEmpty(
  { kysely }: Database,
  hours: readonly number[],
  now: number,
): Promise<void> {
  if (hours.length === 0) return;
  await kysely
    .insertInto("run_stats_hours")
    .values(hours.map((hour) => ({ hour, unfinished: 0, counted_at: now })))
    .onConflict((conflict) => conflict.column("hour").doNothing())
    .execute();
}

/** The figures of a workspace in some hours that the viewer may see, or all of them with a flag. */
export async function findStats(
  { kysely }: Database,
  viewer: RunViewer,
  { from, to, isAll, toolName }: StatsRange,
): Promise<(RunStatsTable & { is_visible: number })[]> {
  const isVisible = isRunVisible(viewer);
  let query = kysely
    .selectFrom("run_stats as runs")
    .selectAll()
    .select(sql<number>`case when ${isVisible} then 1 else 0 end`.as("is_visible"))
    .where("workspace_id", "=", viewer.workspaceId)
    .where("hour", ">=", from)
    .where("hour", "<", to);
  if (toolName !== undefined) query = query.where("tool_name", "=", toolName);
  if (!isAll) query = query.where(isVisible);
  return query.execute();
}

export type StatsRange = {
  from: number;
  to: number;
  /** Whether figures are included that the viewer sees only as a part of sums. */
  isAll: boolean;
  toolName: string | undefined;
};

const retainedMs = 32 * 24 * hourMs;

/** Deletes the figures of at most `limit` hours that no range contains. Returns how many. */
export async function deleteOldStats(
  db: Database,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const { kysely } = db;
  const old = await kysely
    .selectFrom("run_stats_hours")
    .select("hour")
    .where("hour", "<", now - retainedMs)
    .orderBy("hour")
    .limit(limit)
    .execute();
  if (old.length === 0) return 0;
  const hours = old.map(({ hour }) => hour);
  await db.transact([
    kysely.deleteFrom("run_stats").where("hour", "in", hours).compile(),
    kysely.deleteFrom("run_stats_hours").where("hour", "in", hours).compile(),
  ]);
  return hours.length;
}
