import type { Database, InvitationTable } from "#db";

/** An invitation that can be accepted, with the name of its workspace. */
export type OpenInvitation = InvitationTable & { workspace_name: string };

/** Finds the invitation of a token, unless it has expired or its workspace was deleted. */
export async function findOpenInvitation(
  db: Database,
  tokenHash: string,
  now: number,
): Promise<OpenInvitation | undefined> {
  return openInvitations(db, now).where("token_hash", "=", tokenHash).executeTakeFirst();
}

/** The open invitations to an email address. */
export async function findOpenInvitations(
  db: Database,
  email: string,
  now: number,
): Promise<OpenInvitation[]> {
  return openInvitations(db, now).where("email", "=", email).limit(100).execute();
}

function openInvitations(db: Database, now: number) {
  return db.kysely
    .selectFrom("invitations")
    .innerJoin("workspaces", "workspaces.id", "invitations.workspace_id")
    .selectAll("invitations")
    .select("workspaces.name as workspace_name")
    .where("expires_at", ">", now)
    .where("workspaces.deleted_at", "is", null);
}
