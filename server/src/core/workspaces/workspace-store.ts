import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, TransactionStep } from "#db";

/** A workspace with the role of one of its members. */
export type MemberWorkspace = {
  id: string;
  name: string;
  created_at: number;
  role: string;
  member_count: number;
};

/** The workspaces of a user, newest first. */
export async function listMemberWorkspaces(
  db: Database,
  userId: string,
  page: { limit: number; after: string | undefined },
): Promise<MemberWorkspace[]> {
  let query = workspacesOf(db, userId);
  if (page.after !== undefined) query = query.where("workspaces.id", "<", page.after);
  return query.orderBy("workspaces.id", "desc").limit(page.limit).execute();
}

export async function findMemberWorkspace(
  db: Database,
  userId: string,
  id: string,
): Promise<MemberWorkspace | undefined> {
  return workspacesOf(db, userId).where("workspaces.id", "=", id).executeTakeFirst();
}

function workspacesOf(db: Database, userId: string) {
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
 * The first step of a transaction that changes the members of a workspace. Without the lock, two concurrent changes could each
 * remove an owner and leave none. It fails if the workspace is deleted.
 */
export function lockMembers(db: Database, workspaceId: string): TransactionStep {
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

/** Marks a workspace as deleted and archives its tools. */
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

function archiveTools(db: Database, workspaceId: string, now: number): CompiledQuery {
  return archiving(db, now).where("workspace_id", "=", workspaceId).compile();
}

/** Archives a user's private tools in all workspaces. */
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
