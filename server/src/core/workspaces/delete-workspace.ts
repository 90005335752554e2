import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, ServiceError } from "#core/kernel";
import { planRevocation } from "#core/vault";
import type { WorkspacesContext } from "./context.ts";
import { stopCancelledRuns } from "#core/runs";
import { enterWorkspace, workspaceNotFound } from "./enter-workspace.ts";
import { endAccess } from "./end-access.ts";
import { deleteAllMembers } from "./member-store.ts";
import { expireFiles, uninstallAll } from "./workspace-purge.ts";
import { markDeleted } from "./workspace-store.ts";

/**
 * Deletes a workspace: from the same moment on nobody belongs to it, its keys, apps and credentials are gone,
 * its tools cannot be run from anywhere, and its runs stop. What it stored is removed by and by; its audit
 * trail stays as long as any. Throws `not_found`, `forbidden`, and `invalid_request` when `name` is not its name.
 */
export async function deleteWorkspace(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
  name: string,
): Promise<void> {
  const insider = await enterWorkspace(context, caller, id, "workspace:delete");
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
    ...endAccess(context.db, { workspaceId: id }, now),
    uninstallAll(context.db, id),
    expireFiles(context.db, id, now),
    auditInsert(context, insider, { action: "workspace.delete", target: id, details: { name } }),
  ]);
  if (!isDeleted) throw workspaceNotFound();
  revoke();
  await stopCancelledRuns(context, { workspaceId: id });
}
