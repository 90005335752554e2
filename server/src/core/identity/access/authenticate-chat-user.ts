import type { IdentityContext } from "../context.ts";
import type { Caller, Role } from "#core/kernel";
import { isRole, scopesOfRole } from "#core/kernel";
import { findMemberships } from "./workspace-store.ts";

type ChatUser = {
  userId: string;
  workspaceId: string;
  /** Platform, team and user, in the form of the audit log. */
  chatUserId: string;
  requestId: string;
};

/**
 * Builds the caller for a linked chat user, with the current role. Undefined if the user is no longer a member of the
 * workspace.
 */
export async function authenticateChatUser(
  { db }: Pick<IdentityContext, "db">,
  { userId, workspaceId, chatUserId, requestId }: ChatUser,
): Promise<Caller | undefined> {
  const role = await findRole({ db }, { userId, workspaceId });
  if (role === undefined) return undefined;
  return {
    userId,
    workspaceId,
    role,
    scopes: scopesOfRole(role),
    actor: { userId, chatUserId },
    via: "bot",
    requestId,
    ip: null,
  };
}

/** The current role of a member. Undefined if the user is not a member of the workspace. */
export async function findRole(
  { db }: Pick<IdentityContext, "db">,
  { userId, workspaceId }: Pick<ChatUser, "userId" | "workspaceId">,
): Promise<Role | undefined> {
  const memberships = await findMemberships(db, userId);
  const found = memberships.find((membership) => membership.workspace_id === workspaceId);
  return found !== undefined && isRole(found.role) ? found.role : undefined;
}
