import { sql } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunTable } from "#db";
import { indexRange } from "#db";

/** How many runs of a workspace are looked at for tools that ran lately. */
const latelyRuns = 1_000;

/** Names of the tools of a workspace's latest runs. */
export async function findNamesOfLate(db: Database, { workspaceId }: RunViewer): Promise<string[]> {
  const { isWithin, newestFirst } = indexRange(db, { columns: { workspace_id: workspaceId } });
  const late = db.kysely
    .selectFrom("runs")
    .select(["tool_name", "draft_id"])
    .where(isWithin)
    .orderBy(newestFirst)
    .limit(latelyRuns);
  const rows = await db.kysely
    .selectFrom(late.as("late"))
    .select("tool_name")
    .distinct()
    .where("draft_id", "is", null)
    .execute();
  return rows.map((row) => row.tool_name);
}

export type LateRun = Pick<RunTable, "id" | "tool_name" | "status" | "started_at" | "duration_ms">;

/** The latest runs of each of a workspace's tools that the viewer may see, at most `limit` of each: one stretch of an index for each. */
export async function findLateRuns(
  db: Database,
  viewer: RunViewer,
  { names, limit }: { names: readonly string[]; limit: number },
): Promise<LateRun[]> {
  if (names.length === 0) return [];
  const stretches = names.map((name) => {
    const columns = { workspace_id: viewer.workspaceId, tool_name: name };
    const { isWithin, newestFirst } = indexRange(db, { columns });
    return sql`select * from (
      select id, tool_name, status, started_at, duration_ms from runs
      where ${isWithin} and draft_id is null and ${isRunVisible(viewer)}
      order by ${newestFirst} limit ${sql.lit(limit)}) as late`;
  });
  const { rows } = await sql<LateRun>`${sql.join(stretches, sql` union all `)}`.execute(db.kysely);
  return rows;
}
