import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, TransactionStep } from "#db";
import { indexRange } from "#db";

/** How many runs of a workspace are searched. */
const maxRuns = 5_000;
const dayMs = 86_400_000;

/** Runs of a tool with the same end on the same day (UTC). */
export type RunCount = {
  tool_id: string;
  status: string;
  day: number;
  runs: number;
  last_at: number;
  is_own: number;
};

/** Counts the recent runs of each tool that the viewer may see. */
export async function countRecentRuns(
  db: Database,
  viewer: RunViewer,
  since: number,
): Promise<RunCount[]> {
  const columns = { workspace_id: viewer.workspaceId };
  const { isWithin, newestFirst } = indexRange(db, { columns });
  // The alias is the one that the rule for visible runs expects.
  const { rows } = await sql<RunCount>`
    select tool_id, status, created_at / ${sql.lit(dayMs)} as day, count(*) as runs,
      max(created_at) as last_at, max(case when user_id = ${viewer.userId} then 1 else 0 end) as is_own
    from (
      select tool_id, status, created_at, user_id, is_private, draft_id, parent_run_id from runs
      where ${isWithin} order by ${newestFirst} limit ${sql.lit(maxRuns)}
    ) as runs
    where draft_id is null and created_at >= ${since} and ${isRunVisible(viewer)}
    group by tool_id, status, created_at / ${sql.lit(dayMs)}`.execute(db.kysely);
  return rows;
}

/** The tags of all tools of a workspace. */
export async function findTags(
  db: Database,
  workspaceId: string,
): Promise<{ tool_id: string; tag: string }[]> {
  return db.kysely
    .selectFrom("tool_tags")
    .select(["tool_id", "tag"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("tag")
    .execute();
}

/** Replaces the tags of a tool. */
export function replaceTags(
  { kysely }: Database,
  { workspaceId, toolId }: { workspaceId: string; toolId: string },
  tags: readonly string[],
): CompiledQuery[] {
  const rows = tags.map((tag) => ({ workspace_id: workspaceId, tool_id: toolId, tag }));
  return [
    kysely
      .deleteFrom("tool_tags")
      .where("workspace_id", "=", workspaceId)
      .where("tool_id", "=", toolId)
      .compile(),
    ...(rows.length === 0
      ? []
      : [
          kysely
            .insertInto("tool_tags")
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        ]),
  ];
}

/** The JSON of a user's preferences. */
export async function findPreferences(
  db: Database,
  { workspaceId, userId }: RunViewer,
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("user_preferences")
    .select("preferences")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.preferences;
}

/** Stores preferences, unless those of before have changed since. */
export function savePreferences(
  { kysely }: Database,
  { workspaceId, userId }: RunViewer,
  { before, after }: { before: string | undefined; after: string },
): TransactionStep {
  const query =
    before === undefined
      ? kysely
          .insertInto("user_preferences")
          .values({ workspace_id: workspaceId, user_id: userId, preferences: after })
          .onConflict((conflict) => conflict.doNothing())
      : kysely
          .updateTable("user_preferences")
          .set({ preferences: after })
          .where("workspace_id", "=", workspaceId)
          .where("user_id", "=", userId)
          .where("preferences", "=", before);
  return { query: query.compile(), mustChange: true };
}
