import { sql } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunTable } from "#db";
import { indexRange } from "#db";

/** How many runs of a workspace are searched for tools that ran recently. */
const recentRuns = 1_000;

/** Names of the tools of a workspace's most recent runs. */
export async function findRecentToolNames(
  db: Database,
  { workspaceId }: RunViewer,
): Promise<string[]> {
  const { isWithin, newestFirst } = indexRange(db, { columns: { workspace_id: workspaceId } });
  const recent = db.kysely
    .selectFrom("runs")
    .select(["tool_name", "draft_id"])
    .where(isWithin)
    .orderBy(newestFirst)
    .limit(recentRuns);
  const rows = await db.kysely
    .selectFrom(recent.as("recent"))
    .select("tool_name")
    .distinct()
    .where("draft_id", "is", null)
    .execute();
  return rows.map((row) => row.tool_name);
}

type RecentRun = Pick<RunTable, "id" | "tool_name" | "status" | "started_at" | "duration_ms">;

/** The most recent runs of each of these tools that the viewer may see, at most `limit` of each: one index range per tool. */
export async function findRecentRuns(
  db: Database,
  viewer: RunViewer,
  { names, limit }: { names: readonly string[]; limit: number },
): Promise<RecentRun[]> {
  if (names.length === 0) return [];
  const ranges = names.map((name) => {
    const columns = { workspace_id: viewer.workspaceId, tool_name: name };
    const { isWithin, newestFirst } = indexRange(db, { columns });
    return sql`select * from (
      select id, tool_name, status, started_at, duration_ms from runs
      where ${isWithin} and draft_id is null and ${isRunVisible(viewer)}
      order by ${newestFirst} limit ${sql.lit(limit)}) as recent`;
  });
  const { rows } = await sql<RecentRun>`${sql.join(ranges, sql` union all `)}`.execute(db.kysely);
  return rows;
}
