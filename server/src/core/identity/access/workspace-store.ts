import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { BaseContext } from "#core/kernel";
import type { Database, MemberTable, PersonTable, TransactionStep, WorkspaceTable } from "#db";
import { toAuthTimestamp } from "./auth-timestamp.ts";

export type Membership = { workspace_id: string; role: string; name: string };

/** The workspaces that a user is a member of, oldest first. */
export async function findMemberships(db: Database, userId: string): Promise<Membership[]> {
  return db.kysely
    .selectFrom("members")
    .innerJoin("workspaces", "workspaces.id", "members.workspace_id")
    .select(["members.workspace_id", "members.role", "workspaces.name"])
    .where("members.user_id", "=", userId)
    .orderBy("members.id")
    .execute();
}

export async function findPerson(db: Database, userId: string): Promise<PersonTable | undefined> {
  return db.kysely
    .selectFrom("users")
    .select(["id", "email", "name"])
    .where("id", "=", userId)
    .executeTakeFirst();
}

/** Finds a user by email address, in lower case. */
export async function findPersonByEmail(
  db: Database,
  email: string,
): Promise<PersonTable | undefined> {
  return db.kysely
    .selectFrom("users")
    .select(["id", "email", "name"])
    .where("email", "=", email)
    .executeTakeFirst();
}

/** Whether a user can sign in. An interrupted sign-up may leave a user who cannot. */
export async function hasPeople(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from accounts limit 1`.execute(db.kysely);
  return rows.length > 0;
}

/**
 * Deletes the user of an email address if the sign-up was interrupted before a time: without a sign-in method, no one has
 * used the account.
 */
export async function deleteUnfinishedUser(
  db: Database,
  email: string,
  before: number,
): Promise<void> {
  await sql`delete from users
    where email = ${email} and created_at < ${toAuthTimestamp(db, before)}
      and not exists (select 1 from accounts where accounts.user_id = users.id)
      and not exists (select 1 from members where members.user_id = users.id)`.execute(db.kysely);
}

export function insertWorkspace(
  db: Database,
  row: Pick<WorkspaceTable, "id" | "name" | "slug" | "created_at" | "tools_revision">,
): CompiledQuery {
  return db.kysely.insertInto("workspaces").values(row).compile();
}

export function insertMember(db: Database, row: MemberTable): CompiledQuery {
  return db.kysely.insertInto("members").values(row).compile();
}

type CapContext = Pick<BaseContext, "config" | "db">;

/** Throws `quota_exceeded` if the user owns the maximum number of workspaces. */
export function capOwnedWorkspaces(context: CapContext, userId: string): TransactionStep[] {
  return capSteps(context, "workspaces", {
    subject: userId,
    existing: sql`select 1 from members
      join workspaces on workspaces.id = members.workspace_id and workspaces.deleted_at is null
      where members.user_id = ${userId} and members.role = 'owner'`,
  });
}

/** Throws `quota_exceeded` if the workspace has the maximum number of members. */
export function capMembers(context: CapContext, workspaceId: string): TransactionStep[] {
  return capSteps(context, "members", {
    subject: workspaceId,
    existing: sql`select 1 from members where workspace_id = ${workspaceId}`,
  });
}

/** Makes a user the server's first owner. The transaction rolls back if another user is. */
export function claimFirstOwner(db: Database, userId: string): TransactionStep {
  const query = db.kysely
    .insertInto("settings")
    .values({ name: "first_owner", value: userId })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value: userId })
        .where("settings.value", "not in", db.kysely.selectFrom("users").select("id")),
    )
    .compile();
  return { query, mustChange: true };
}

/** Deletes an invitation that is accepted. The transaction rolls back if it no longer exists. */
export function takeInvitation(db: Database, id: string): TransactionStep {
  const query = db.kysely.deleteFrom("invitations").where("id", "=", id).compile();
  return { query, mustChange: true };
}
