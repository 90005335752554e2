import type { Member, Role } from "@toolhost/contract";
import { capOwnedWorkspaces } from "#core/identity";
import { auditInsert, commitWrite, mayManage, notFound, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { planRevocation } from "#core/vault";
import type { WorkspacesContext } from "./context.ts";
import { stopRevokedRuns } from "#core/runs";
import { toTimestamp } from "#lib/clock";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { requireMembership } from "./require-membership.ts";
import type { WorkspaceMember } from "./require-membership.ts";
import { removeMemberSteps } from "./remove-member.ts";
import { findMember, listMemberRows, setRole } from "./member-store.ts";
import type { MemberRow } from "./member-store.ts";
import { lockMembers } from "./workspace-store.ts";

/** Lists the members of a workspace, oldest first. Throws `not_found`. */
export async function listMembers(
  context: WorkspacesContext,
  caller: Caller,
  workspaceId: string,
  page: { limit: number; after: string | undefined },
): Promise<{ members: Member[]; next: string | undefined }> {
  await requireMembership(context, caller, workspaceId, "members:list");
  const more = { ...page, limit: page.limit + 1 };
  const rows = await listMemberRows(context.db, workspaceId, more);
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  return { members: shown.map(present), next };
}

/**
 * Changes a member's role. Throws `not_found`, `forbidden` if the caller may not manage both the old and the new role,
 * `last_owner`, and `quota_exceeded` if a new owner has reached the limit of owned workspaces.
 */
export async function changeRole(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role },
): Promise<Member> {
  const member = await requireMembership(context, caller, workspaceId, "members:manage");
  const found = await requireMember(context, workspaceId, userId);
  checkManages(member, found.role);
  checkManages(member, role);
  const changed = present({ ...found, role });
  const isChanged = await commitWrite(context, caller, changed, [
    ...(role === "owner" && found.role !== "owner" ? capOwnedWorkspaces(context, userId) : []),
    lockMembers(context.db, workspaceId),
    setRole(context.db, found, role),
    auditInsert(context, member, {
      action: "member.change_role",
      target: userId,
      details: { role, from: found.role },
    }),
  ]);
  if (!isChanged) throw await explainConflict(context, found);
  return changed;
}

/**
 * Removes a member from a workspace, or lets the caller leave. Their API keys, apps, own credentials and runs there end
 * immediately. Their private tools are stored but visible to no one. Throws `not_found`, `forbidden`, `last_owner`.
 */
export async function removeMember(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  const isSelf = userId === caller.userId;
  const right = isSelf ? "members:list" : "members:manage";
  const member = await requireMembership(context, caller, workspaceId, right);
  const found = await requireMember(context, workspaceId, userId);
  if (!isSelf) checkManages(member, found.role);
  const revoke = await planRevocation(context, { workspaceId, userId });
  const isRemoved = await commitWrite(context, caller, null, [
    ...removeMemberSteps(
      context.db,
      { workspaceId, userId, role: found.role },
      context.clock.now(),
    ),
    auditInsert(context, member, {
      action: isSelf ? "member.leave" : "member.remove",
      target: userId,
      details: { role: found.role },
    }),
  ]);
  if (!isRemoved) throw await explainConflict(context, found);
  revoke();
  await stopRevokedRuns(context, { workspaceId, userId });
}

/**
 * Transfers the ownership of the caller, who becomes an admin, to another member. Throws `not_found`, `forbidden`, `quota_exceeded`.
 */
export async function transferWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Member> {
  const member = await requireMembership(context, caller, workspaceId, "workspace:transfer");
  if (userId === caller.userId) {
    throw new ServiceError("invalid_request", "You already own this workspace.");
  }
  const [mine, theirs] = await Promise.all([
    requireMember(context, workspaceId, caller.userId),
    requireMember(context, workspaceId, userId),
  ]);
  const changed = present({ ...theirs, role: "owner" });
  const isChanged = await commitWrite(context, caller, changed, [
    ...(theirs.role === "owner" ? [] : capOwnedWorkspaces(context, userId)),
    lockMembers(context.db, workspaceId),
    setRole(context.db, theirs, "owner"),
    setRole(context.db, mine, "admin"),
    auditInsert(context, member, {
      action: "workspace.transfer",
      target: workspaceId,
      details: { to: userId },
    }),
  ]);
  if (!isChanged) throw await explainConflict(context, theirs);
  return changed;
}

async function requireMember(
  context: WorkspacesContext,
  workspaceId: string,
  userId: string,
): Promise<MemberRow> {
  const found = isId(userId) ? await findMember(context.db, workspaceId, userId) : undefined;
  if (found === undefined) {
    throw notFound("not_found", "member", { id: userId });
  }
  return found;
}

function checkManages(member: WorkspaceMember, role: string): void {
  if (mayManage(member.role, role)) return;
  throw new ServiceError(
    "forbidden",
    `Your role does not permit you to manage members with the role ${role}.`,
  );
}

/** Explains a rolled-back change: the member was the last owner, or was changed concurrently. */
async function explainConflict(context: WorkspacesContext, seen: MemberRow): Promise<ServiceError> {
  const now = await requireMember(context, seen.workspace_id, seen.user_id);
  if (now.role === "owner" && seen.role === "owner") {
    return new ServiceError(
      "last_owner",
      "The workspace's only owner cannot be removed or demoted. Make another member an owner first, or delete the workspace.",
    );
  }
  return new ServiceError(
    "unavailable",
    "The member was modified by another request. Reload it and retry.",
    {
      retryAfterSeconds: 1,
    },
  );
}

function present(row: MemberRow): Member {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    joinedAt: toTimestamp(row.created_at),
  };
}
