import type { IdentityContext } from "../context.ts";
import type { Caller } from "#core/kernel";
import { isRole, scopesOfRole } from "#core/kernel";
import { findMemberships } from "./workspace-store.ts";

type ChatUser = {
  userId: string;
  workspaceId: string;
  /** As the audit trail names them: platform, team and user. */
  chatUserId: string;
  requestId: string;
};

/**
 * The caller whom a chat user was linked to, with the role that they have now; undefined for one who is no member
 * of the workspace any more.
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
