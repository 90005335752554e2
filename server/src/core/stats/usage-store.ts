import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { RunViewer } from "#core/kernel";
import type { Database, RunUsageTable } from "#db";
import type { StatsRange } from "./stats-store.ts";
import { hourMs } from "./tally.ts";
import { isVisible, isVisibleColumn } from "./visible-stats.ts";

export const dayMs = 24 * hourMs;

/** How often a user ran a tool with a client. */
export type UsageSum = Pick<
  RunUsageTable,
  "user_id" | "client" | "tool_name" | "runs" | "failed"
> & { is_visible: number };

const columns = ["user_id", "client", "tool_name"] as const;

/** Who ran which tool in some hours that are at most a day, or on a whole day. */
export async function findUsage(
  db: Database,
  viewer: RunViewer,
  range: StatsRange,
): Promise<UsageSum[]> {
  const { from, to } = range;
  const ofDay = to - from === dayMs ? await findUsageOfDay(db, viewer, range) : [];
  return ofDay.length > 0 ? ofDay : findUsageOfHours(db, viewer, range);
}

/** Nothing if the day's sums were not made yet. */
async function findUsageOfDay(
  { kysely }: Database,
  viewer: RunViewer,
  { from, isAll, toolName }: StatsRange,
): Promise<UsageSum[]> {
  let query = kysely
    .selectFrom("run_usage_days")
    .select([...columns, "runs", "failed", isVisibleColumn(viewer)])
    .where("workspace_id", "=", viewer.workspaceId)
    .where("day", "=", from);
  if (toolName !== undefined) query = query.where("tool_name", "=", toolName);
  if (!isAll) query = query.where(isVisible(viewer));
  return query.execute();
}

async function findUsageOfHours(
  { kysely }: Database,
  viewer: RunViewer,
  { from, to, isAll, toolName }: StatsRange,
): Promise<UsageSum[]> {
  let query = kysely
    .selectFrom("run_usage")
    .select([...columns, isVisibleColumn(viewer)])
    .select([sumOf("runs").as("runs"), sumOf("failed").as("failed")])
    .where("workspace_id", "=", viewer.workspaceId)
    .where("hour", ">=", from)
    .where("hour", "<", to);
  if (toolName !== undefined) query = query.where("tool_name", "=", toolName);
  if (!isAll) query = query.where(isVisible(viewer));
  return query.groupBy([...columns, "tool_id", "private_to"]).execute();
}

function sumOf(column: "runs" | "failed") {
  return sql<number>`cast(sum(${sql.ref(column)}) as integer)`;
}

/** The steps that replace the sums of a day by those of its hours. */
export function replaceDay({ kysely }: Database, day: number): CompiledQuery[] {
  return [
    kysely.deleteFrom("run_usage_days").where("day", "=", day).compile(),
    sql`
      insert into run_usage_days
        (workspace_id, day, user_id, client, tool_id, private_to, tool_name, runs, failed)
      select workspace_id, cast(${day} as bigint), user_id, client, tool_id, private_to,
        min(tool_name), sum(runs), sum(failed)
      from run_usage where hour >= ${day} and hour < ${day + dayMs}
      group by workspace_id, user_id, client, tool_id, private_to
    `.compile(kysely),
  ];
}
