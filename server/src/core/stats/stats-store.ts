import { sql } from "kysely";
import type { RunViewer } from "#core/kernel";
import type { Database, RunStatsHourTable, RunStatsTable, TransactionStep } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";
import { hourMs } from "./tally.ts";
import type { HourTally } from "./tally.ts";
import { isVisible, isVisibleColumn } from "./visible-stats.ts";

/** The hours of a time whose runs are counted, oldest first. */
export async function findCountedHours(
  { kysely }: Database,
  { from, to = Number.MAX_SAFE_INTEGER }: { from: number; to?: number },
): Promise<RunStatsHourTable[]> {
  return kysely
    .selectFrom("run_stats_hours")
    .selectAll()
    .where("hour", ">=", from)
    .where("hour", "<", to)
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
  tally: HourTally,
): TransactionStep[] {
  const { hour, ...state } = counted;
  return [
    kysely
      .insertInto("run_stats_hours")
      .values(counted)
      .onConflict((conflict) => conflict.column("hour").doUpdateSet(state))
      .compile(),
    kysely.deleteFrom("run_stats").where("hour", "=", hour).compile(),
    kysely.deleteFrom("run_usage").where("hour", "=", hour).compile(),
    ...inParts(tally.stats()).map((rows) => kysely.insertInto("run_stats").values(rows).compile()),
    ...inParts(tally.usage()).map((rows) => kysely.insertInto("run_usage").values(rows).compile()),
  ];
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, index) =>
    rows.slice(index * maxRows, (index + 1) * maxRows),
  );
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
  let query = kysely
    .selectFrom("run_stats")
    .selectAll()
    .select(isVisibleColumn(viewer))
    .where("workspace_id", "=", viewer.workspaceId)
    .where("hour", ">=", from)
    .where("hour", "<", to);
  if (toolName !== undefined) query = query.where("tool_name", "=", toolName);
  if (!isAll) query = query.where(isVisible(viewer));
  return query.execute();
}

/** A range of hours, and whose figures. */
export type StatsRange = {
  from: number;
  to: number;
  /** Whether figures are included that the viewer sees only as a part of sums. */
  isAll: boolean;
  toolName: string | undefined;
};
