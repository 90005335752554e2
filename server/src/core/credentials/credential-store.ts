import type { CompiledQuery } from "kysely";
import type { CredentialTable, Database } from "#db";

/** Owner of what the whole workspace shares. */
export const workspaceOwner = "";

type Viewer = { workspaceId: string; userId: string };

/** Inserts unless the name is taken by the same owner; then the step changes nothing. */
export function insertIfNew(db: Database, row: CredentialTable): CompiledQuery {
  return db.kysely
    .insertInto("credentials")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "owner_user_id", "name"]).doNothing(),
    )
    .compile();
}

/** The viewer's own credentials and the workspace's, newest first. */
export async function listCredentialRows(
  db: Database,
  viewer: Viewer,
  page: { limit: number; after: string | undefined },
): Promise<CredentialTable[]> {
  let query = db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("workspace_id", "=", viewer.workspaceId)
    .where("owner_user_id", "in", [viewer.userId, workspaceOwner]);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

/** The viewer's own credentials and the workspace's of these names. */
export async function findByNames(
  db: Database,
  viewer: Viewer,
  names: readonly string[],
): Promise<CredentialTable[]> {
  return db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("workspace_id", "=", viewer.workspaceId)
    .where("owner_user_id", "in", [viewer.userId, workspaceOwner])
    .where("name", "in", names)
    .execute();
}

/** A credential with what its owner approved for a tool; null where they have decided nothing. */
export type CredentialForTool = CredentialTable & { approved_needs: string | null };

/** The viewer's own credentials and the workspace's of these names, each with its owner's approval of a tool. */
export async function findForTool(
  db: Database,
  viewer: Viewer,
  { toolId, names }: { toolId: string; names: readonly string[] },
): Promise<CredentialForTool[]> {
  return db.kysely
    .selectFrom("credentials")
    .leftJoin("tool_approvals", (join) =>
      join
        .onRef("tool_approvals.workspace_id", "=", "credentials.workspace_id")
        .onRef("tool_approvals.owner_user_id", "=", "credentials.owner_user_id")
        .on("tool_approvals.tool_id", "=", toolId),
    )
    .selectAll("credentials")
    .select("tool_approvals.needs as approved_needs")
    .where("credentials.workspace_id", "=", viewer.workspaceId)
    .where("credentials.owner_user_id", "in", [viewer.userId, workspaceOwner])
    .where("credentials.name", "in", names)
    .execute();
}

/** Deletes a credential while it is what the caller saw. */
export function deleteCredentialRow(
  db: Database,
  row: Pick<CredentialTable, "id" | "workspace_id" | "revision">,
): CompiledQuery {
  return db.kysely
    .deleteFrom("credentials")
    .where("id", "=", row.id)
    .where("workspace_id", "=", row.workspace_id)
    .where("revision", "=", row.revision)
    .compile();
}

export function setUsed(db: Database, ids: readonly string[], at: number): CompiledQuery {
  return db.kysely
    .updateTable("credentials")
    .set({ last_used_at: at })
    .where("id", "in", ids)
    .compile();
}
