import { findMemberships } from "#core/identity";
import { mayDo, scopesOfRole, ServiceError } from "#core/kernel";
import type { Caller, Right } from "#core/kernel";
import type { WorkspacesContext } from "./context.ts";

/** A caller within a workspace that they belong to. */
export type Insider = Caller & { workspaceName: string };

/**
 * The caller as a member of the workspace that a request names. Throws `not_found` for a workspace that is not
 * theirs, and `forbidden` when their role there lacks the right.
 */
export async function enterWorkspace(
  context: Pick<WorkspacesContext, "db">,
  caller: Caller,
  workspaceId: string,
  right: Right,
): Promise<Insider> {
  const memberships = await findMemberships(context.db, caller.userId);
  const found = memberships.find((membership) => membership.workspace_id === workspaceId);
  if (found === undefined) throw workspaceNotFound();
  const { role } = found;
  if (!mayDo(role, right)) {
    throw new ServiceError(
      "forbidden",
      "Your role in this workspace does not permit this. Ask an owner or admin of the workspace.",
    );
  }
  return {
    ...caller,
    workspaceId,
    workspaceName: found.name,
    role: role as Insider["role"],
    scopes: scopesOfRole(role),
  };
}

/** What is said of workspaces that do not exist, of foreign ones, and of deleted ones. */
export function workspaceNotFound(): ServiceError {
  return new ServiceError("not_found", "Workspace not found, or you are not a member of it.");
}
