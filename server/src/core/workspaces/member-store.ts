import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, MemberTable, TransactionStep } from "#db";

export type MemberRow = MemberTable & { name: string; email: string };

/** The members of a workspace, oldest first. */
export async function listMemberRows(
  db: Database,
  workspaceId: string,
  page: { limit: number; after: string | undefined },
): Promise<MemberRow[]> {
  let query = membersOf(db, workspaceId);
  if (page.after !== undefined) query = query.where("members.id", ">", page.after);
  return query.orderBy("members.id").limit(page.limit).execute();
}

export async function findMember(
  db: Database,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  return membersOf(db, workspaceId).where("members.user_id", "=", userId).executeTakeFirst();
}

export async function findMemberByEmail(
  db: Database,
  workspaceId: string,
  email: string,
): Promise<MemberRow | undefined> {
  return membersOf(db, workspaceId).where("users.email", "=", email).executeTakeFirst();
}

function membersOf(db: Database, workspaceId: string) {
  return db.kysely
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .selectAll("members")
    .select(["users.name", "users.email"])
    .where("members.workspace_id", "=", workspaceId);
}

type ReadMember = Pick<MemberTable, "workspace_id" | "user_id" | "role">;

/** Changes a role, if it is still the one that the caller read and the workspace still has an owner afterwards. */
export function setRole(db: Database, member: ReadMember, role: string): TransactionStep {
  const query = db.kysely
    .updateTable("members")
    .set({ role })
    .where("workspace_id", "=", member.workspace_id)
    .where("user_id", "=", member.user_id)
    .where("role", "=", member.role)
    .where(role === "owner" ? sql<boolean>`1 = 1` : hasOtherOwner(member))
    .compile();
  return { query, mustChange: true };
}

/** Removes a member, if their role is still the one that the caller read and the workspace still has an owner. */
export function deleteMember(db: Database, member: ReadMember): TransactionStep {
  const query = db.kysely
    .deleteFrom("members")
    .where("workspace_id", "=", member.workspace_id)
    .where("user_id", "=", member.user_id)
    .where("role", "=", member.role)
    .where(hasOtherOwner(member))
    .compile();
  return { query, mustChange: true };
}

function hasOtherOwner(member: ReadMember) {
  if (member.role !== "owner") return sql<boolean>`1 = 1`;
  return sql<boolean>`exists (select 1 from members as other where other.workspace_id = ${member.workspace_id}
    and other.role = 'owner' and other.user_id <> ${member.user_id})`;
}

export function deleteAllMembers(db: Database, workspaceId: string): CompiledQuery {
  return db.kysely.deleteFrom("members").where("workspace_id", "=", workspaceId).compile();
}
