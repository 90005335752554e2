import type { Role, Workspace } from "@toolhost/contract";
import { capOwnedWorkspaces, insertMember, insertWorkspace } from "#core/identity";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey } from "#core/kernel";
import type { WorkspacesContext } from "./context.ts";
import { toTimestamp } from "#lib/clock";
import { newId, randomSuffix } from "#lib/ids";
import { enterWorkspace, workspaceNotFound } from "./enter-workspace.ts";
import { findSeenWorkspace, listSeenWorkspaces, renameRow } from "./workspace-store.ts";
import type { SeenWorkspace } from "./workspace-store.ts";

/** The workspaces that the caller belongs to, newest first. */
export async function listWorkspaces(
  context: WorkspacesContext,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<Workspace[]> {
  return (await listSeenWorkspaces(context.db, caller.userId, page)).map(present);
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
  const isKept = await commitWrite(context, caller, created, [
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
  if (!isKept) throw lostKey();
  return created;
}

/** Gives a workspace another name. Throws `not_found`, `forbidden`. */
export async function renameWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
  name: string,
): Promise<Workspace> {
  const insider = await enterWorkspace(context, caller, id, "workspace:rename");
  const seen = await findSeenWorkspace(context.db, caller.userId, id);
  if (seen === undefined) throw workspaceNotFound();
  const renamed = present({ ...seen, name });
  const isRenamed = await commitWrite(context, caller, renamed, [
    renameRow(context.db, id, name),
    auditInsert(context, insider, {
      action: "workspace.rename",
      target: id,
      details: { name, from: seen.name },
    }),
  ]);
  if (!isRenamed) throw workspaceNotFound();
  return renamed;
}

function present(row: SeenWorkspace): Workspace {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role,
    memberCount: row.member_count,
    createdAt: toTimestamp(row.created_at),
  };
}
