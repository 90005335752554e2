import type { IdentityContext } from "../context.ts";
import type { Caller } from "#core/kernel";
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
  const memberships = await findMemberships(db, userId);
  const found = memberships.find((membership) => membership.workspace_id === workspaceId);
  if (found === undefined || !isRole(found.role)) return undefined;
  return {
    userId,
    workspaceId,
    role: found.role,
    scopes: scopesOfRole(found.role),
    actor: { userId, chatUserId },
    via: "bot",
    requestId,
    ip: null,
  };
}
