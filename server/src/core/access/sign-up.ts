import { APIError } from "better-auth/api";
import type { Config } from "#config";
import { auditEvent } from "#core/audit";
import type { Database, TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { newId, randomSuffix } from "#lib/ids";
import { findOpenInvitations } from "./invitation-store.ts";
import type { OpenInvitation } from "./invitation-store.ts";
import {
  claimSetting,
  hasPeople,
  insertMember,
  insertWorkspace,
  takeInvitation,
} from "./workspace-store.ts";

type Needs = { db: Database; config: Config };

/** Somebody who wants an account: with the token of an invitation, or an address that a provider vouches for. */
export type Applicant = { email: string; token: string | undefined; isVouchedFor: boolean };

/** Why somebody may have an account. */
export type Admission =
  | { how: "first" }
  | { how: "invited"; invitations: OpenInvitation[] }
  | { how: "open" };

/**
 * Says why an applicant may have an account. Throws the library's refusal when they may not, the same whether or
 * not the address has an account.
 */
export async function admit(needs: Needs, applicant: Applicant): Promise<Admission> {
  const { db, config } = needs;
  if (!(await hasPeople(db))) return { how: "first" };
  const invitations =
    config.SIGN_UP === "closed" ? [] : await findInvitationsFor(db, applicant, Date.now());
  if (invitations.length > 0) return { how: "invited", invitations };
  if (config.SIGN_UP === "open") return { how: "open" };
  throw new APIError("FORBIDDEN", {
    code: "SIGN_UP_CLOSED",
    message: "This server takes no sign-ups. Ask its owner for an invitation.",
  });
}

async function findInvitationsFor(
  db: Database,
  { email, token, isVouchedFor }: Applicant,
  now: number,
): Promise<OpenInvitation[]> {
  const byEmail = await findOpenInvitations(db, email.toLowerCase(), now);
  if (isVouchedFor) return byEmail;
  // An address that nobody vouches for is believed only together with what was sent to it.
  if (token === undefined) return [];
  const hash = sha256(token);
  return byEmail.filter((invitation) => invitation.token_hash === hash);
}

type Newcomer = { id: string; name: string };

/**
 * Gives a new person their place: the first owns the server's first workspace, the invited belong to where they
 * were invited, and others own a workspace of their own.
 */
export async function welcome(
  { db }: Needs,
  person: Newcomer,
  admission: Admission,
  firstWorkspaceName?: string,
): Promise<void> {
  const now = Date.now();
  if (admission.how === "invited") {
    for (const invitation of admission.invitations) {
      await db.transact(joinSteps(db, person, invitation, now));
    }
    return;
  }
  const workspaceId = newId();
  await db.transact([
    // Two people who sign up at the same moment: the second breaks here and owns nothing.
    ...(admission.how === "first" ? [claimSetting(db, "first_owner", person.id)] : []),
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

/** An invitation that was withdrawn meanwhile is not taken, and the person is there without it. */
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
