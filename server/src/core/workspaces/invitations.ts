import type {
  CreatedInvitation,
  CreateInvitationInput,
  Invitation,
  Role,
} from "@toolhost/contract";
import {
  capMembers,
  capOwnedWorkspaces,
  findOpenInvitation,
  findPerson,
  insertMember,
  takeInvitation,
} from "#core/identity";
import {
  auditInsert,
  commitWrite,
  invitationEmail,
  lostKey,
  mayManage,
  notFound,
  ServiceError,
  withArticle,
} from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { OpenInvitation } from "#core/identity";
import type { WorkspacesContext } from "./context.ts";
import { chargePoints } from "#core/limits";
import type { InvitationTable } from "#db";
import { toTimestamp } from "#lib/clock";
import { sha256 } from "#lib/hash";
import { isId, newId, randomToken } from "#lib/ids";
import { requireMembership } from "./require-membership.ts";
import type { WorkspaceMember } from "./require-membership.ts";
import {
  capInvitations,
  findInvitation,
  listInvitationRows,
  putInvitation,
} from "./invitation-store.ts";
import { findMember, findMemberByEmail } from "./member-store.ts";
import { lockMembers } from "./workspace-store.ts";

const validMs = 7 * 86_400_000;

/** Lists the pending invitations of a workspace, newest first. Throws `not_found`, `forbidden`. */
export async function listInvitations(
  context: WorkspacesContext,
  caller: Caller,
  workspaceId: string,
  page: { limit: number; after: string | undefined },
): Promise<Invitation[]> {
  await requireMembership(context, caller, workspaceId, "members:manage");
  const now = context.clock.now();
  return (await listInvitationRows(context.db, workspaceId, { ...page, now })).map(present);
}

/**
 * Invites an email address to a workspace for 7 days and replaces its earlier invitation. The link is emailed to the
 * address, or returned to the caller if the server sends no email. Throws `not_found`,
 * `forbidden`, `already_member`, `rate_limited`, `quota_exceeded`.
 */
export async function createInvitation(
  context: WorkspacesContext,
  caller: Caller,
  workspaceId: string,
  { email, role }: CreateInvitationInput,
): Promise<CreatedInvitation> {
  const member = await requireMembership(context, caller, workspaceId, "members:manage");
  if (!mayManage(member.role, role)) {
    throw new ServiceError(
      "forbidden",
      `Your role doesn't allow you to invite ${withArticle(role)}.`,
    );
  }
  if ((await findMemberByEmail(context.db, workspaceId, email)) !== undefined) {
    throw alreadyMember();
  }
  await chargePoints(context, "mails", `from ${caller.userId}`);
  await chargePoints(context, "mails", `to ${email}`);
  const now = context.clock.now();
  const token = randomToken();
  const row: InvitationTable = {
    id: newId(),
    workspace_id: workspaceId,
    email,
    role,
    token_hash: sha256(token),
    invited_by: caller.userId,
    created_at: now,
    expires_at: now + validMs,
  };
  const url = invitationUrl(context, token);
  const created = { ...present(row), url: context.mailer.isConfigured ? null : url };
  const isWritten = await commitWrite(context, caller, created, [
    ...capInvitations(context, row),
    lockMembers(context.db, workspaceId),
    ...putInvitation(context.db, row),
    // The event omits the address because it outlives the user's account.
    auditInsert(context, member, {
      action: "invitation.create",
      target: row.id,
      details: { role },
    }),
  ]);
  if (!isWritten) throw lostKey();
  if (context.mailer.isConfigured) await send(context, member, row, url);
  return created;
}

async function send(
  context: WorkspacesContext,
  member: WorkspaceMember,
  row: InvitationTable,
  url: string,
) {
  const inviter = await findPerson(context.db, member.userId);
  context.mailer.send(
    invitationEmail(row.email, url, {
      inviterName: inviter?.name,
      workspaceName: member.workspaceName,
      role: row.role,
    }),
  );
}

function invitationUrl({ config }: WorkspacesContext, token: string): string {
  return `${config.baseUrl}/invitations/${token}`;
}

/** Revokes a pending invitation. Throws `not_found`, `forbidden`. */
export async function revokeInvitation(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  const member = await requireMembership(context, caller, workspaceId, "members:manage");
  const row = isId(id) ? await findInvitation(context.db, workspaceId, id) : undefined;
  if (row === undefined) throw notFound("not_found", "invitation", { id });
  if (!mayManage(member.role, row.role)) {
    throw new ServiceError(
      "forbidden",
      `Your role doesn't allow you to revoke the invitation of ${withArticle(row.role)}.`,
    );
  }
  const isRevoked = await commitWrite(context, caller, null, [
    takeInvitation(context.db, id),
    auditInsert(context, member, { action: "invitation.revoke", target: id }),
  ]);
  if (!isRevoked) throw notFound("not_found", "invitation", { id });
}

/** Finds the pending invitation of a token. */
export async function findInvitationOfToken(
  context: Pick<WorkspacesContext, "db" | "clock">,
  token: string,
): Promise<OpenInvitation | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  return findOpenInvitation(context.db, sha256(token), context.clock.now());
}

/**
 * Makes the caller a member of the workspace of an invitation, which can be accepted once. Throws `not_found`,
 * `forbidden` for an invitation of another email address, `already_member`, and `quota_exceeded`.
 */
export async function acceptInvitation(
  context: WorkspacesContext,
  caller: Caller,
  token: string,
): Promise<{ workspaceId: string; name: string; role: Role }> {
  const [found, person] = await Promise.all([
    findInvitationOfToken(context, token),
    findPerson(context.db, caller.userId),
  ]);
  if (found === undefined || person === undefined) throw invitationNotFound();
  if (person.email.toLowerCase() !== found.email) {
    throw new ServiceError(
      "forbidden",
      "This invitation is for another email address. Sign in with that address.",
    );
  }
  const { workspace_id: workspaceId, workspace_name: name, role } = found;
  if ((await findMember(context.db, workspaceId, caller.userId)) !== undefined) {
    throw alreadyMember();
  }
  const accepted = { workspaceId, name, role: role as Role };
  const isAccepted = await commitWrite(context, caller, accepted, [
    ...capMembers(context, workspaceId),
    ...(role === "owner" ? capOwnedWorkspaces(context, caller.userId) : []),
    lockMembers(context.db, workspaceId),
    takeInvitation(context.db, found.id),
    insertMember(context.db, {
      id: newId(),
      workspace_id: workspaceId,
      user_id: caller.userId,
      role,
      created_at: context.clock.now(),
    }),
    auditInsert(
      context,
      { ...caller, workspaceId },
      { action: "member.join", target: caller.userId, details: { role, invitation: found.id } },
    ),
  ]);
  if (!isAccepted) throw invitationNotFound();
  return accepted;
}

function invitationNotFound(): ServiceError {
  return new ServiceError(
    "not_found",
    "This invitation is invalid, has expired, or was already accepted. Ask an admin of the workspace for another invitation.",
  );
}

function alreadyMember(): ServiceError {
  return new ServiceError("already_member", "This user is already a member of the workspace.");
}

function present(row: InvitationTable): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Role,
    invitedBy: row.invited_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}
