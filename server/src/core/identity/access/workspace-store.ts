import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { BaseContext } from "#core/kernel";
import type { Database, MemberTable, PersonTable, TransactionStep, WorkspaceTable } from "#db";

export type Membership = { workspace_id: string; role: string; name: string };

/** The workspaces a person belongs to, oldest first. */
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

/** The person of an address, which is in lower case. */
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

/** Throws `quota_exceeded` when the person owns as many workspaces as they may. */
export function capOwnedWorkspaces(context: CapContext, userId: string): TransactionStep[] {
  return capSteps(context, "workspaces", {
    subject: userId,
    existing: sql`select 1 from members
      join workspaces on workspaces.id = members.workspace_id and workspaces.deleted_at is null
      where members.user_id = ${userId} and members.role = 'owner'`,
  });
}

/** Throws `quota_exceeded` when the workspace has as many members as it may. */
export function capMembers(context: CapContext, workspaceId: string): TransactionStep[] {
  return capSteps(context, "members", {
    subject: workspaceId,
    existing: sql`select 1 from members where workspace_id = ${workspaceId}`,
  });
}

/** Claims a server-wide setting; a second claim of the same name breaks the transaction. */
export function claimSetting(db: Database, name: string, value: string): CompiledQuery {
  return db.kysely.insertInto("settings").values({ name, value }).compile();
}

/** Ends an invitation; undoes all when another was faster. */
export function takeInvitation(db: Database, id: string): TransactionStep {
  const query = db.kysely.deleteFrom("invitations").where("id", "=", id).compile();
  return { query, mustChange: true };
}
