import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, Schema } from "#db";

/** The tables that have a `workspace_id`. */
type TableOfWorkspace = {
  [Table in keyof Schema]: "workspace_id" extends keyof Schema[Table] ? Table : never;
}[keyof Schema];

/** How the rows of a deleted workspace leave each table that has some. */
const purges: Record<TableOfWorkspace, "access" | "batches" | "clear" | "kept"> = {
  // Deleted by `revokeAccess` and `deleteAllMembers`, or soon after by the tasks of their modules.
  alerts: "access",
  always_allowed_tools: "access",
  chat_attempts: "access",
  chat_connections: "access",
  connection_attempts: "access",
  credentials: "access",
  draft_versions: "access",
  drafts: "access",
  members: "access",
  oauth_grants: "access",
  tool_approvals: "access",
  tool_searches: "access",
  credential_requests: "access",
  user_preferences: "access",
  webhooks: "access",
  // Deleted in batches before the workspace is cleared.
  files: "batches",
  runs: "batches",
  tool_versions: "batches",
  // Deleted at the end, by `clearWorkspace`.
  alert_deliveries: "clear",
  alert_events: "clear",
  api_keys: "clear",
  bridges: "clear",
  chat_inbox: "clear",
  idempotency_records: "clear",
  imports: "clear",
  invitations: "clear",
  run_batches: "clear",
  run_bytes: "clear",
  run_stats: "clear",
  run_usage: "clear",
  run_usage_days: "clear",
  tool_embeddings: "clear",
  tool_imports: "clear",
  tool_installs: "clear",
  tool_tags: "clear",
  // Audit events follow their own retention, and names of tools are never used again.
  audit_events: "kept",
  audit_heads: "kept",
  audit_segments: "kept",
  unsealed_run_events: "kept",
  tools: "kept",
};

function tablesWith(purge: "batches" | "clear"): TableOfWorkspace[] {
  return (Object.keys(purges) as TableOfWorkspace[]).filter((one) => purges[one] === purge);
}

/** Uninstalls all tools of a workspace. */
export function uninstallAll(db: Database, workspaceId: string): CompiledQuery {
  return db.kysely.deleteFrom("tool_installs").where("workspace_id", "=", workspaceId).compile();
}

/** Marks a workspace's files as expired, so that the next sweep deletes them. */
export function expireFiles(db: Database, workspaceId: string, now: number): CompiledQuery {
  return db.kysely
    .updateTable("files")
    .set({ expires_at: now })
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .compile();
}

/** Deleted workspaces that still have data. */
export async function findDeletedWorkspaces(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("workspaces")
    .select("id")
    .where("deleted_at", "is not", null)
    // A purged workspace has no name.
    .where("name", "<>", "")
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` finished runs with their logs. Returns how many. */
export async function deleteRuns(
  db: Database,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("status", "<>", "running")
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await db.transact([
    db.kysely.deleteFrom("run_logs").where("run_id", "in", ids).compile(),
    db.kysely.deleteFrom("runs").where("id", "in", ids).compile(),
  ]);
  return ids.length;
}

/** Deletes at most `limit` versions of tools that have no unfinished runs. */
export async function deleteVersions(
  db: Database,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const rows = await db.kysely
    .selectFrom("tool_versions")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where(
      sql<boolean>`not exists (select 1 from runs where runs.status = 'running' and runs.tool_id = tool_versions.tool_id)`,
    )
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  await db.kysely
    .deleteFrom("tool_versions")
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.length;
}

/** Whether a workspace still has runs, files or tool versions. */
export async function hasPurgeableRows(db: Database, workspaceId: string): Promise<boolean> {
  for (const table of tablesWith("batches")) {
    const found = await db.kysely
      .selectFrom(table)
      .select("workspace_id")
      .where("workspace_id", "=", workspaceId)
      .limit(1)
      .executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
}

/**
 * The last step of a purge. The workspace's row stays without its name, because audit events and tool names refer to it.
 */
export function clearWorkspace(db: Database, workspaceId: string): CompiledQuery[] {
  return [
    ...tablesWith("clear").map((table) =>
      db.kysely.deleteFrom(table).where("workspace_id", "=", workspaceId).compile(),
    ),
    db.kysely
      .updateTable("workspaces")
      .set({ name: "", slug: sql<string>`'deleted-' || id` })
      .where("id", "=", workspaceId)
      .where("deleted_at", "is not", null)
      .compile(),
  ];
}
