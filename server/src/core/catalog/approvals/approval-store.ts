import type { CompiledQuery } from "kysely";
import type { Database, ToolApprovalTable } from "#db";

/** Owner of the workspace's credentials, as their rows name it. */
export const workspaceOwner = "";

type Viewer = { workspaceId: string; userId: string };

/** What the viewer and the workspace have approved for a tool; also what they withdrew. */
export async function findApprovals(
  db: Database,
  viewer: Viewer,
  toolId: string,
): Promise<ApprovalRow[]> {
  return db.kysely
    .selectFrom("tool_approvals as a")
    .leftJoin("tool_versions as v", (join) =>
      join.onRef("v.tool_id", "=", "a.tool_id").onRef("v.version", "=", "a.version"),
    )
    .selectAll("a")
    .select("v.bundle_hash as approved_code")
    .where("a.tool_id", "=", toolId)
    .where("a.workspace_id", "=", viewer.workspaceId)
    .where("a.owner_user_id", "in", [viewer.userId, workspaceOwner])
    .execute();
}

/** An approval, and the hash of the code of the version that was approved; null for a version that is gone. */
export type ApprovalRow = ToolApprovalTable & { approved_code: string | null };

/** Hash of the code of a tool's version; empty for a version that is gone. */
export async function findCodeHash(
  db: Database,
  { id, version }: { id: string; version: number },
): Promise<string> {
  const row = await db.kysely
    .selectFrom("tool_versions")
    .select("bundle_hash")
    .where("tool_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.bundle_hash ?? "";
}

/**
 * Whether a person wrote all versions of a tool, each with the right to approve: nothing in it is then of a colleague,
 * or of an agent whose key must not use credentials.
 */
export async function isOwnWork(
  db: Database,
  { toolId, userId }: { toolId: string; userId: string },
): Promise<boolean> {
  const other = await db.kysely
    .selectFrom("tool_versions")
    .select("version")
    .where("tool_id", "=", toolId)
    .where((where) => where.or([where("created_by", "<>", userId), where("vouched", "=", 0)]))
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

/** Writes an approval, replacing the one before. */
export function putApproval(db: Database, row: ToolApprovalTable): CompiledQuery {
  return db.kysely
    .insertInto("tool_approvals")
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet(changesOf(row)))
    .compile();
}

/** The same, but leaves a withdrawn approval as it is. */
export function putSavedApproval(db: Database, row: ToolApprovalTable): CompiledQuery {
  return db.kysely
    .insertInto("tool_approvals")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(key)
        .doUpdateSet(changesOf(row))
        .where("tool_approvals.how", "<>", "withdrawn"),
    )
    .compile();
}

const key = ["tool_id", "workspace_id", "owner_user_id"] as const;

function changesOf(row: ToolApprovalTable) {
  const { workspace_id: _, tool_id: __, owner_user_id: ___, ...changes } = row;
  return changes;
}

/** Empties an approval that still is one. */
export function emptyApproval(
  db: Database,
  row: Pick<ToolApprovalTable, "workspace_id" | "tool_id" | "owner_user_id" | "by_user_id" | "at">,
): CompiledQuery {
  return db.kysely
    .updateTable("tool_approvals")
    .set({
      needs: JSON.stringify({ credentials: [], allowedHosts: [] }),
      by_user_id: row.by_user_id,
      at: row.at,
      how: "withdrawn",
    })
    .where("workspace_id", "=", row.workspace_id)
    .where("tool_id", "=", row.tool_id)
    .where("owner_user_id", "=", row.owner_user_id)
    .where("how", "<>", "withdrawn")
    .compile();
}
