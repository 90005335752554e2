import { findMemberships } from "#core/identity";
import { mayDo, scopesOfRole, ServiceError, workspaceNotFound } from "#core/kernel";
import type { Caller, Right } from "#core/kernel";
import type { WorkspacesContext } from "./context.ts";

/** A caller in a workspace of which they are a member. */
export type WorkspaceMember = Caller & { workspaceName: string };

/**
 * Returns the caller as a member of a workspace. Throws `not_found` if they are not a member, and `forbidden` if their role
 * lacks the permission.
 */
export async function requireMembership(
  context: Pick<WorkspacesContext, "db">,
  caller: Caller,
  workspaceId: string,
  right: Right,
): Promise<WorkspaceMember> {
  const memberships = await findMemberships(context.db, caller.userId);
  const found = memberships.find((membership) => membership.workspace_id === workspaceId);
  if (found === undefined) throw workspaceNotFound(workspaceId);
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
    role: role as WorkspaceMember["role"],
    scopes: scopesOfRole(role),
  };
}
