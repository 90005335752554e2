import type { WorkspacesContext } from "./context.ts";
import { stopRevokedRuns } from "#core/runs";
import { deleteExpiredInvitations } from "./invitation-store.ts";
import { revokeAccess } from "./revoke-access.ts";
import {
  deleteRuns,
  deleteVersions,
  clearWorkspace,
  findDeletedWorkspaces,
  hasPurgeableRows,
} from "./workspace-purge.ts";

/** How long an expired invitation is stored. */
const invitationGraceMs = 86_400_000;

/**
 * Deletes at most `limit` rows of each kind of deleted workspaces, and expired invitations. Returns how many. Audit events
 * follow their own retention, and tool names are never deleted.
 */
export async function removeDeletedWorkspaces(
  context: WorkspacesContext,
  limit: number,
): Promise<number> {
  const { db, clock } = context;
  let count = await deleteExpiredInvitations(db, clock.now() - invitationGraceMs, limit);
  for (const workspaceId of await findDeletedWorkspaces(db)) {
    // A request that was authenticated before the deletion may have created something after it.
    await db.transact(revokeAccess(db, { workspaceId }, clock.now()));
    await stopRevokedRuns(context, { workspaceId });
    const removed =
      (await deleteRuns(db, workspaceId, limit)) + (await deleteVersions(db, workspaceId, limit));
    count += removed;
    if (removed === 0 && !(await hasPurgeableRows(db, workspaceId))) {
      await db.transact(clearWorkspace(db, workspaceId));
    }
  }
  return count;
}
