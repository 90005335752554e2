import type { Member, Role } from "@toolhost/contract";
import { capOwnedWorkspaces } from "#core/identity";
import { auditInsert, commitWrite, mayManage, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { planRevocation } from "#core/vault";
import type { WorkspacesContext } from "./context.ts";
import { stopCancelledRuns } from "#core/runs";
import { toTimestamp } from "#lib/clock";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { enterWorkspace } from "./enter-workspace.ts";
import type { Insider } from "./enter-workspace.ts";
import { removeMemberSteps } from "./remove-member.ts";
import { findMember, listMemberRows, setRole } from "./member-store.ts";
import type { MemberRow } from "./member-store.ts";
import { holdMembers } from "./workspace-store.ts";

/** A page of who belongs to a workspace, in the order in which they came. Throws `not_found`. */
export async function listMembers(
  context: WorkspacesContext,
  caller: Caller,
  workspaceId: string,
  page: { limit: number; after: string | undefined },
): Promise<{ members: Member[]; next: string | undefined }> {
  await enterWorkspace(context, caller, workspaceId, "members:list");
  const more = { ...page, limit: page.limit + 1 };
  const rows = await listMemberRows(context.db, workspaceId, more);
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  return { members: shown.map(present), next };
}

/**
 * Gives a member another role. Throws `not_found`, `forbidden` where the caller's role is not above both the
 * old and the new one, `last_owner`, and `quota_exceeded` for a new owner who owns as many as they may.
 */
export async function changeRole(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role },
): Promise<Member> {
  const insider = await enterWorkspace(context, caller, workspaceId, "members:manage");
  const found = await findTheMember(context, workspaceId, userId);
  checkManages(insider, found.role);
  checkManages(insider, role);
  const changed = present({ ...found, role });
  const isChanged = await commitWrite(context, caller, changed, [
    ...(role === "owner" && found.role !== "owner" ? capOwnedWorkspaces(context, userId) : []),
    holdMembers(context.db, workspaceId),
    setRole(context.db, found, role),
    auditInsert(context, insider, {
      action: "member.change_role",
      target: userId,
      details: { role, from: found.role },
    }),
  ]);
  if (!isChanged) throw await whyNot(context, found);
  return changed;
}

/**
 * Takes a person out of a workspace, or lets the caller leave. Their keys, apps, own credentials and runs there
 * end at once; private tools of theirs stay, and nobody sees them. Throws `not_found`, `forbidden`, `last_owner`.
 */
export async function removeMember(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  const isSelf = userId === caller.userId;
  const right = isSelf ? "members:list" : "members:manage";
  const insider = await enterWorkspace(context, caller, workspaceId, right);
  const found = await findTheMember(context, workspaceId, userId);
  if (!isSelf) checkManages(insider, found.role);
  const revoke = await planRevocation(context, { workspaceId, userId });
  const isRemoved = await commitWrite(context, caller, null, [
    ...removeMemberSteps(
      context.db,
      { workspaceId, userId, role: found.role },
      context.clock.now(),
    ),
    auditInsert(context, insider, {
      action: isSelf ? "member.leave" : "member.remove",
      target: userId,
      details: { role: found.role },
    }),
  ]);
  if (!isRemoved) throw await whyNot(context, found);
  revoke();
  await stopCancelledRuns(context, { workspaceId, userId });
}

/**
 * Makes another member an owner in the caller's place, who becomes an admin. Throws `not_found`, `forbidden`, `quota_exceeded`.
 */
export async function transferWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Member> {
  const insider = await enterWorkspace(context, caller, workspaceId, "workspace:transfer");
  if (userId === caller.userId) {
    throw new ServiceError("invalid_request", "You already own this workspace.");
  }
  const [mine, theirs] = await Promise.all([
    findTheMember(context, workspaceId, caller.userId),
    findTheMember(context, workspaceId, userId),
  ]);
  const changed = present({ ...theirs, role: "owner" });
  const isChanged = await commitWrite(context, caller, changed, [
    ...(theirs.role === "owner" ? [] : capOwnedWorkspaces(context, userId)),
    holdMembers(context.db, workspaceId),
    setRole(context.db, theirs, "owner"),
    setRole(context.db, mine, "admin"),
    auditInsert(context, insider, {
      action: "workspace.transfer",
      target: workspaceId,
      details: { to: userId },
    }),
  ]);
  if (!isChanged) throw await whyNot(context, theirs);
  return changed;
}

async function findTheMember(
  context: WorkspacesContext,
  workspaceId: string,
  userId: string,
): Promise<MemberRow> {
  const found = isId(userId) ? await findMember(context.db, workspaceId, userId) : undefined;
  if (found === undefined) {
    throw new ServiceError("not_found", "No member with this ID belongs to the workspace.");
  }
  return found;
}

function checkManages(insider: Insider, role: string): void {
  if (mayManage(insider.role, role)) return;
  throw new ServiceError("forbidden", `Your role does not let you manage a member who is ${role}.`);
}

/** The change was undone: the member was the last owner, or somebody else changed them meanwhile. */
async function whyNot(context: WorkspacesContext, seen: MemberRow): Promise<ServiceError> {
  const now = await findTheMember(context, seen.workspace_id, seen.user_id);
  if (now.role === "owner" && seen.role === "owner") {
    return new ServiceError(
      "last_owner",
      "The workspace's only owner cannot be removed or demoted. Make another member an owner first, or delete the workspace.",
    );
  }
  return new ServiceError(
    "unavailable",
    "The member was modified by another request. Reload and try again.",
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
