import type { Config } from "#config";
import { auditEvent, ServiceError } from "#core/kernel";
import type { Database, TransactionStep } from "#db";
import { newId, randomSuffix } from "#lib/ids";
import type { OpenInvitation } from "./invitation-store.ts";
import {
  capMembers,
  claimFirstOwner,
  insertMember,
  insertWorkspace,
  takeInvitation,
} from "./workspace-store.ts";

/** The reason why a user may create an account. */
export type Admission =
  | { how: "first" }
  | { how: "invited"; invitations: OpenInvitation[] }
  | { how: "open" };

type Newcomer = { id: string; name: string };

/**
 * Sets up a new user: the first one owns the server's first workspace, invited users become members of the workspaces
 * that invited them, and others own a new workspace.
 */
export async function welcome(
  { db, config }: { db: Database; config: Config },
  person: Newcomer,
  admission: Admission,
  firstWorkspaceName?: string,
): Promise<void> {
  const now = Date.now();
  if (admission.how === "invited") {
    for (const invitation of admission.invitations) {
      await join({ db, config }, person, invitation, now);
    }
    return;
  }
  const workspaceId = newId();
  await db.transact([
    // If two users sign up at the same time, the second transaction rolls back here, and that user owns nothing.
    ...(admission.how === "first" ? [claimFirstOwner(db, person.id)] : []),
    insertWorkspace(db, {
      id: workspaceId,
      name: firstWorkspaceName ?? `${person.name.slice(0, 60)}'s workspace`,
      slug: `workspace-${randomSuffix(8)}`,
      created_at: now,
      tools_revision: 0,
    }),
    insertMember(db, {
      id: newId(),
      workspace_id: workspaceId,
      user_id: person.id,
      role: "owner",
      created_at: now,
    }),
  ]);
}

/** If the workspace is full, the user gets an account without membership, and the invitation stays open. */
async function join(
  context: { db: Database; config: Config },
  person: Newcomer,
  invitation: OpenInvitation,
  now: number,
): Promise<void> {
  const caps = capMembers(context, invitation.workspace_id);
  try {
    await context.db.transact([...caps, ...joinSteps(context.db, person, invitation, now)]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

/** The transaction rolls back if the invitation was revoked concurrently. */
function joinSteps(
  db: Database,
  { id: userId }: Newcomer,
  invitation: OpenInvitation,
  now: number,
): TransactionStep[] {
  const { workspace_id: workspaceId, role } = invitation;
  const event = auditEvent(
    now,
    { workspaceId, actor: { userId }, via: "console", requestId: null, ip: null },
    {
      action: "member.join",
      target: userId,
      details: { role, invitation: invitation.id },
    },
  );
  return [
    takeInvitation(db, invitation.id),
    insertMember(db, {
      id: newId(),
      workspace_id: workspaceId,
      user_id: userId,
      role,
      created_at: now,
    }),
    db.kysely.insertInto("audit_events").values(event).compile(),
  ];
}
