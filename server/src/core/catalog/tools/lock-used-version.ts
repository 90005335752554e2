import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database } from "#db";

/** A tool at the version that the caller reviewed, and the workspace that owns it. */
type ReviewedTool = { id: string; workspaceId: string; version: number };
type Viewer = { workspaceId: string };

/**
 * Locks the version that the viewer's workspace uses until the end of the transaction, without changing it. Matches no
 * row if the workspace uses another version.
 */
export function lockUsedVersion(db: Database, viewer: Viewer, tool: ReviewedTool): CompiledQuery {
  return tool.workspaceId === viewer.workspaceId
    ? lockLive(db, tool).compile()
    : lockAccepted(db, viewer, tool);
}

/** Locks the live version of a public tool. */
export function lockPublicVersion(db: Database, tool: ReviewedTool): CompiledQuery {
  return lockLive(db, tool).where("visibility", "=", "public").compile();
}

function lockLive(db: Database, { id, workspaceId, version }: ReviewedTool) {
  return db.kysely
    .updateTable("tools")
    .set({ live_version: version })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("live_version", "=", version)
    .where("archived_at", "is", null);
}

function lockAccepted(
  db: Database,
  { workspaceId }: Viewer,
  { id, version }: ReviewedTool,
): CompiledQuery {
  return db.kysely
    .updateTable("tool_installs")
    .set({ version })
    .where("workspace_id", "=", workspaceId)
    .where("tool_id", "=", id)
    .where("version", "=", version)
    .where(
      sql<boolean>`exists (select 1 from tools
        where id = ${id} and visibility = 'public' and archived_at is null)`,
    )
    .compile();
}
