import type { WorkspacesContext } from "./context.ts";
import { stopCancelledRuns } from "#core/runs";
import { deleteExpiredInvitations } from "./invitation-store.ts";
import { endAccess } from "./end-access.ts";
import {
  deleteRuns,
  deleteVersions,
  emptyWorkspace,
  findDeletedWorkspaces,
  hasPurgeableRows,
} from "./workspace-purge.ts";

/** How long an invitation that nobody took is kept after its end. */
const invitationGraceMs = 86_400_000;

/**
 * Removes at most `limit` rows of each kind that deleted workspaces left, and invitations that nobody took, and
 * answers how many. Audit events stay as long as any others, and names of tools for ever.
 */
export async function removeDeletedWorkspaces(
  context: WorkspacesContext,
  limit: number,
): Promise<number> {
  const { db, clock } = context;
  let count = await deleteExpiredInvitations(db, clock.now() - invitationGraceMs, limit);
  for (const workspaceId of await findDeletedWorkspaces(db)) {
    // A request that was let in just before the deletion may have begun something after it.
    await db.transact(endAccess(db, { workspaceId }, clock.now()));
    await stopCancelledRuns(context, { workspaceId });
    const removed =
      (await deleteRuns(db, workspaceId, limit)) + (await deleteVersions(db, workspaceId, limit));
    count += removed;
    if (removed === 0 && !(await hasPurgeableRows(db, workspaceId))) {
      await db.transact(emptyWorkspace(db, workspaceId));
    }
  }
  return count;
}
