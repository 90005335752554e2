import type { CompiledQuery } from "kysely";
import type { Database, ToolApprovalTable } from "#db";

/** Owner of the workspace's credentials, as their rows name it. */
export const workspaceOwner = "";

type Viewer = { workspaceId: string; userId: string };

/** Approvals of a tool by the viewer and for the workspace, including withdrawn ones. */
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

/** An approval, with the code hash of the approved version; null if that version was deleted. */
export type ApprovalRow = ToolApprovalTable & { approved_code: string | null };

/** Code hash of a version of a tool; empty if the version was deleted. */
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
 * Whether one user wrote all versions of a tool, each with `credentials:write`. Then no part of it comes from a colleague,
 * or from an agent whose key must not use credentials.
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

/** Writes an approval, replacing an earlier one. */
export function putApproval(db: Database, row: ToolApprovalTable): CompiledQuery {
  return db.kysely
    .insertInto("tool_approvals")
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet(changesOf(row)))
    .compile();
}

/** Like `putApproval`, but does not replace a withdrawn approval. */
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

const noNeeds = JSON.stringify({ credentials: [], allowedHosts: [] });

/** Withdraws all approvals of a tool, in all workspaces. */
export function emptyApprovals(
  db: Database,
  { toolId, byUserId, now }: { toolId: string; byUserId: string; now: number },
): CompiledQuery {
  return db.kysely
    .updateTable("tool_approvals")
    .set({ needs: noNeeds, by_user_id: byUserId, at: now, how: "withdrawn" })
    .where("tool_id", "=", toolId)
    .where("how", "<>", "withdrawn")
    .compile();
}

/** Withdraws an approval that is not withdrawn yet. */
export function emptyApproval(
  db: Database,
  row: Pick<ToolApprovalTable, "workspace_id" | "tool_id" | "owner_user_id" | "by_user_id" | "at">,
): CompiledQuery {
  return db.kysely
    .updateTable("tool_approvals")
    .set({
      needs: noNeeds,
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
