import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, TransactionStep } from "#db";

/** A workspace as one of its members sees it. */
export type SeenWorkspace = {
  id: string;
  name: string;
  created_at: number;
  role: string;
  member_count: number;
};

/** The workspaces that a person belongs to, newest first. */
export async function listSeenWorkspaces(
  db: Database,
  userId: string,
  page: { limit: number; after: string | undefined },
): Promise<SeenWorkspace[]> {
  let query = seenBy(db, userId);
  if (page.after !== undefined) query = query.where("workspaces.id", "<", page.after);
  return query.orderBy("workspaces.id", "desc").limit(page.limit).execute();
}

export async function findSeenWorkspace(
  db: Database,
  userId: string,
  id: string,
): Promise<SeenWorkspace | undefined> {
  return seenBy(db, userId).where("workspaces.id", "=", id).executeTakeFirst();
}

function seenBy(db: Database, userId: string) {
  return db.kysely
    .selectFrom("workspaces")
    .innerJoin("members", "members.workspace_id", "workspaces.id")
    .select([
      "workspaces.id",
      "workspaces.name",
      "workspaces.created_at",
      "members.role",
      sql<number>`(select count(*) from members as others where others.workspace_id = workspaces.id)`.as(
        "member_count",
      ),
    ])
    .where("members.user_id", "=", userId)
    .where("workspaces.deleted_at", "is", null);
}

/**
 * Goes first in a transaction that changes who belongs to a workspace: two of them at once could otherwise
 * each leave the other's person as the last owner. Undoes all when the workspace is deleted.
 */
export function holdMembers(db: Database, workspaceId: string): TransactionStep {
  const query = db.kysely
    .updateTable("workspaces")
    .set({ name: sql.ref("name") })
    .where("id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .compile();
  return { query, mustChange: true };
}

export function renameRow(db: Database, id: string, name: string): TransactionStep {
  const query = db.kysely
    .updateTable("workspaces")
    .set({ name })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .compile();
  return { query, mustChange: true };
}

/** Marks a workspace as deleted; its tools are out of use with it. */
export function markDeleted(
  db: Database,
  workspaceId: string,
  name: string,
  now: number,
): TransactionStep[] {
  const mark = db.kysely
    .updateTable("workspaces")
    .set({ deleted_at: now })
    .where("id", "=", workspaceId)
    .where("name", "=", name)
    .where("deleted_at", "is", null)
    .compile();
  return [{ query: mark, mustChange: true }, archiveTools(db, workspaceId, now)];
}

/** Takes all tools of a workspace out of use. */
function archiveTools(db: Database, workspaceId: string, now: number): CompiledQuery {
  return archiving(db, now).where("workspace_id", "=", workspaceId).compile();
}

/** Takes the tools that a person kept private out of use, wherever they are. */
export function archivePrivateTools(db: Database, userId: string, now: number): CompiledQuery {
  return archiving(db, now)
    .where("owner_user_id", "=", userId)
    .where("visibility", "=", "private")
    .compile();
}

function archiving(db: Database, now: number) {
  return db.kysely
    .updateTable("tools")
    .set({ archived_at: now, updated_at: now })
    .where("archived_at", "is", null);
}
