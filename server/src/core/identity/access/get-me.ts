import type { Me } from "@toolhost/contract";
import type { IdentityContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { findMemberships, findPerson } from "./workspace-store.ts";

/** The caller's user, workspaces and scopes. */
export async function getMe(context: IdentityContext, caller: Caller): Promise<Me> {
  const [user, memberships] = await Promise.all([
    findPerson(context.db, caller.userId),
    findMemberships(context.db, caller.userId),
  ]);
  const workspaces = memberships.map(({ workspace_id: id, name, role }) => ({ id, name, role }));
  const workspace = workspaces.find(({ id }) => id === caller.workspaceId);
  if (user === undefined || workspace === undefined) {
    throw new ServiceError(
      "unauthenticated",
      "The account was deleted or is no longer a member of the workspace.",
    );
  }
  return {
    user,
    workspace,
    // An API key or app acts in one workspace, so it does not see the user's others.
    workspaces: caller.actor.sessionId === undefined ? [workspace] : workspaces,
    scopes: [...caller.scopes],
    authentication: authenticationOf(caller),
  };
}

function authenticationOf({ actor }: Caller): Me["authentication"] {
  if (actor.apiKeyId !== undefined) return "api_key";
  return actor.grantId === undefined ? "session" : "access_token";
}
