import type { Database, TransactionStep } from "#db";
import { currentRevision } from "./tool-store.ts";

/** A tool that was archived at this time. */
type Archived = { toolId: string; workspaceId: string; archivedAt: number | null };

/**
 * Makes an archived tool live again; the transaction rolls back if it was changed since, or its versions were deleted.
 * Must follow `countChange`, which also locks the workspace against a concurrent deletion of the versions.
 */
export function unarchiveTool(
  db: Database,
  { toolId, workspaceId, archivedAt, now }: Archived & { now: number },
): TransactionStep {
  const query = db.kysely
    .updateTable("tools")
    .set({
      archived_at: null,
      archived_by: null,
      updated_at: now,
      revision: currentRevision(workspaceId),
    })
    .where("id", "=", toolId)
    .where("workspace_id", "=", workspaceId)
    .where("archived_at", "=", archivedAt)
    .where((where) =>
      where.exists(
        where
          .selectFrom("tool_versions")
          .select("tool_versions.id")
          .whereRef("tool_versions.tool_id", "=", "tools.id")
          .whereRef("tool_versions.version", "=", "tools.live_version"),
      ),
    )
    .compile();
  return { query, mustChange: true };
}
