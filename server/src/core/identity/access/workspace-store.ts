import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { BaseContext } from "#core/kernel";
import type { Database, MemberTable, PersonTable, TransactionStep, WorkspaceTable } from "#db";

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

export async function hasPeople(db: Database): Promise<boolean> {
  const someone = await db.kysely.selectFrom("users").select("id").limit(1).executeTakeFirst();
  return someone !== undefined;
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

/** Claims a server-wide setting. A second claim of the same name fails the transaction. */
export function claimSetting(db: Database, name: string, value: string): CompiledQuery {
  return db.kysely.insertInto("settings").values({ name, value }).compile();
}

/** Deletes an invitation that is accepted. The transaction rolls back if it no longer exists. */
export function takeInvitation(db: Database, id: string): TransactionStep {
  const query = db.kysely.deleteFrom("invitations").where("id", "=", id).compile();
  return { query, mustChange: true };
}
