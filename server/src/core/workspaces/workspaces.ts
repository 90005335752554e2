import type { Role, Workspace } from "@toolhost/contract";
import { capOwnedWorkspaces, insertMember, insertWorkspace } from "#core/identity";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, workspaceNotFound } from "#core/kernel";
import type { WorkspacesContext } from "./context.ts";
import { toTimestamp } from "#lib/clock";
import { newId, randomSuffix } from "#lib/ids";
import { requireMembership } from "./require-membership.ts";
import { findMemberWorkspace, listMemberWorkspaces, renameRow } from "./workspace-store.ts";
import type { MemberWorkspace } from "./workspace-store.ts";

/** Lists the workspaces of the caller, newest first. */
export async function listWorkspaces(
  context: WorkspacesContext,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<Workspace[]> {
  return (await listMemberWorkspaces(context.db, caller.userId, page)).map(present);
}

/** Creates a workspace that the caller owns. Throws `quota_exceeded`. */
export async function createWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  name: string,
): Promise<Workspace> {
  const { db, clock } = context;
  const now = clock.now();
  const id = newId();
  const row = { id, name, slug: `workspace-${randomSuffix(8)}`, created_at: now };
  const created = present({ ...row, role: "owner", member_count: 1 });
  const isWritten = await commitWrite(context, caller, created, [
    ...capOwnedWorkspaces(context, caller.userId),
    insertWorkspace(db, { ...row, tools_revision: 0 }),
    insertMember(db, {
      id: newId(),
      workspace_id: id,
      user_id: caller.userId,
      role: "owner",
      created_at: now,
    }),
    auditInsert(
      context,
      { ...caller, workspaceId: id },
      { action: "workspace.create", target: id, details: { name } },
    ),
  ]);
  if (!isWritten) throw lostKey();
  return created;
}

/** Renames a workspace. Throws `not_found`, `forbidden`. */
export async function renameWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
  name: string,
): Promise<Workspace> {
  const member = await requireMembership(context, caller, id, "workspace:rename");
  const current = await findMemberWorkspace(context.db, caller.userId, id);
  if (current === undefined) throw workspaceNotFound(id);
  const renamed = present({ ...current, name });
  const isRenamed = await commitWrite(context, caller, renamed, [
    renameRow(context.db, id, name),
    auditInsert(context, member, {
      action: "workspace.rename",
      target: id,
      details: { name, from: current.name },
    }),
  ]);
  if (!isRenamed) throw workspaceNotFound(id);
  return renamed;
}

function present(row: MemberWorkspace): Workspace {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role,
    memberCount: row.member_count,
    createdAt: toTimestamp(row.created_at),
  };
}
