import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { WorkspacesContext } from "./context.ts";
import type { Database, InvitationTable, TransactionStep } from "#db";

/** Throws `quota_exceeded` if the workspace has reached its limit of pending invitations. A replaced one does not count. */
export function capInvitations(
  context: Pick<WorkspacesContext, "config" | "db">,
  { workspace_id: workspaceId, email, created_at: now }: InvitationTable,
): TransactionStep[] {
  return capSteps(context, "invitations", {
    subject: workspaceId,
    existing: sql`select 1 from invitations
      where workspace_id = ${workspaceId} and email <> ${email} and expires_at > ${now}`,
  });
}

/** Writes an invitation and deletes an earlier one of the same address in the workspace. */
export function putInvitation(db: Database, row: InvitationTable): CompiledQuery[] {
  return [
    db.kysely
      .deleteFrom("invitations")
      .where("workspace_id", "=", row.workspace_id)
      .where("email", "=", row.email)
      .compile(),
    db.kysely.insertInto("invitations").values(row).compile(),
  ];
}

export async function listInvitationRows(
  db: Database,
  workspaceId: string,
  page: { limit: number; after: string | undefined; now: number },
): Promise<InvitationTable[]> {
  let query = db.kysely
    .selectFrom("invitations")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", page.now);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

export async function findInvitation(
  db: Database,
  workspaceId: string,
  id: string,
): Promise<InvitationTable | undefined> {
  return db.kysely
    .selectFrom("invitations")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Deletes at most `limit` invitations that expired before a time. */
export async function deleteExpiredInvitations(
  db: Database,
  before: number,
  limit: number,
): Promise<number> {
  const old = await db.kysely
    .selectFrom("invitations")
    .select("id")
    .where("expires_at", "<", before)
    .limit(limit)
    .execute();
  if (old.length === 0) return 0;
  await db.kysely
    .deleteFrom("invitations")
    .where(
      "id",
      "in",
      old.map(({ id }) => id),
    )
    .execute();
  return old.length;
}
