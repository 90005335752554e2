import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database } from "#db";

/** The user whose visibility applies. */
export type RunViewer = { workspaceId: string; userId: string };

/**
 * The rule for who sees a run of their workspace, as a condition on the table or alias `runs`. All members do, except:
 * - a private run (of a draft, of a tool that was private at the time, or a child of such a run): only the user who ran it;
 * - a run of a tool that is private now: only the user who ran it and the tool's author.
 */
export function isRunVisible(viewer: RunViewer) {
  return sql<boolean>`(runs.user_id = ${viewer.userId}
    or (runs.is_private = 0 and runs.tool_id not in (${othersPrivateTools(viewer, "id")})))`;
}

/** IDs or names of other users' private tools in the viewer's workspace, including archived ones. */
export function othersPrivateTools({ workspaceId, userId }: RunViewer, column: "id" | "name") {
  // Repeats the condition of the partial index exactly; otherwise the index is not used.
  return sql<Record<typeof column, string>>`select ${sql.ref(`tools.${column}`)} from tools
    where workspace_id = ${workspaceId} and visibility = 'private' and owner_user_id <> ${userId}`;
}

/** The runs among `runIds` that exist and that the viewer may not see. */
export async function findHiddenRuns(
  db: Database,
  viewer: RunViewer,
  runIds: readonly string[],
): Promise<Set<string>> {
  if (runIds.length === 0) return new Set();
  const rows = await db.kysely
    .selectFrom("runs")
    .select("id")
    .where("id", "in", runIds)
    .where(sql<boolean>`not (workspace_id = ${viewer.workspaceId} and ${isRunVisible(viewer)})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * The steps that make a tool's unfinished runs private, and their unfinished ancestors and descendants too, because
 * results pass from child to parent. They belong in the transaction that makes the tool private, after that change.
 * Finished runs do not change.
 */
export function hideUnfinishedRuns(
  db: Database,
  { toolId, workspaceId }: { toolId: string; workspaceId: string },
): CompiledQuery[] {
  const isUnfinished = sql`workspace_id = ${workspaceId} and status = 'running'`;
  const ownRuns = sql`update runs set is_private = 1
    where ${isUnfinished} and tool_id = ${toolId} and is_private = 0`;
  const above = sql`
    with recursive above (id) as (
      select parent_run_id from runs
        where ${isUnfinished} and tool_id = ${toolId} and parent_run_id is not null
      union
      select parent.parent_run_id from above join runs parent on parent.id = above.id
        and parent.workspace_id = ${workspaceId} and parent.parent_run_id is not null
    )
    update runs set is_private = 1
    where ${isUnfinished} and is_private = 0 and id in (select id from above)`;
  const below = sql`
    with recursive below (id) as (
      select id from runs where ${isUnfinished} and tool_id = ${toolId}
      union
      select child.id from below join runs child on child.parent_run_id = below.id
        and child.workspace_id = ${workspaceId} and child.status = 'running'
    )
    update runs set is_private = 1
    where ${isUnfinished} and is_private = 0 and id in (select id from below)`;
  // A starting run waits for its parent's row. The second pass finds the runs that started during the first one.
  return [ownRuns, above, below, below].map((step) => step.compile(db.kysely));
}

/**
 * The step that cancels queued runs of batches with a tool that is archived, or that becomes private: then those of other users.
 * A batch may wait for hours, and its users may no longer run the tool.
 */
export function cancelBatchedRuns(
  { kysely }: Database,
  toolId: string,
  { isArchived }: { isArchived: boolean },
): CompiledQuery {
  const owner = sql`(select owner_user_id from tools where id = ${toolId})`;
  const whose = isArchived ? sql`` : sql`and user_id <> ${owner}`;
  return sql`update runs set cancel_requested = 1 where status = 'running' and queued = 1
    and batch_id is not null and tool_id = ${toolId} ${whose}`.compile(kysely);
}

/** Makes the ancestors of a private run private. Call it before one of them gets its result, which they will contain. */
export async function hideAncestors(db: Database, ancestorIds: readonly string[]): Promise<void> {
  // One at a time, because making a tool private locks these rows in a different order.
  for (const id of ancestorIds) {
    await db.kysely
      .updateTable("runs")
      .set({ is_private: 1 })
      .where("id", "=", id)
      .where("is_private", "=", 0)
      .execute();
  }
}
