import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, ServiceError, workspaceNotFound } from "#core/kernel";
import { planRevocation } from "#core/vault";
import type { WorkspacesContext } from "./context.ts";
import { stopRevokedRuns } from "#core/runs";
import { requireMembership } from "./require-membership.ts";
import { revokeAccess } from "./revoke-access.ts";
import { deleteAllMembers } from "./member-store.ts";
import { expireFiles, uninstallAll } from "./workspace-purge.ts";
import { markDeleted } from "./workspace-store.ts";

/**
 * Deletes a workspace. Its memberships, API keys, apps and credentials end immediately, its tools can no longer be run, and its
 * runs are cancelled. The sweep deletes the stored data gradually; audit events follow their own retention. Throws
 * `not_found`, `forbidden`, and `invalid_request` if `name` does not match.
 */
export async function deleteWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
  name: string,
): Promise<void> {
  const insider = await requireMembership(context, caller, id, "workspace:delete");
  if (name !== insider.workspaceName) {
    throw new ServiceError(
      "invalid_request",
      "The name does not match. Enter the workspace's name to delete it.",
      {
        errors: [{ path: "/name", message: "must match the workspace's name" }],
      },
    );
  }
  const now = context.clock.now();
  const revoke = await planRevocation(context, { workspaceId: id });
  const isDeleted = await commitWrite(context, caller, null, [
    ...markDeleted(context.db, id, name, now),
    deleteAllMembers(context.db, id),
    ...revokeAccess(context.db, { workspaceId: id }, now),
    uninstallAll(context.db, id),
    expireFiles(context.db, id, now),
    auditInsert(context, insider, { action: "workspace.delete", target: id, details: { name } }),
  ]);
  if (!isDeleted) throw workspaceNotFound(id);
  revoke();
  await stopRevokedRuns(context, { workspaceId: id });
}
