import type { Scope } from "@toolhost/contract";
import type { IdentityContext } from "../context.ts";
import { isRole, noWorkspace, scopesOfRole, ServiceError, workspaceNotFound } from "#core/kernel";
import { sha256 } from "#lib/hash";
import { findKeyByHash } from "./api-key-store.ts";
import type { Caller, RequestOrigin } from "#core/kernel";
import { forgetCaller, noteCaller } from "./expected-caller.ts";
import { isKey } from "./key-format.ts";
import { findMemberships } from "./workspace-store.ts";

/**
 * Authenticates an API key. A revocation takes effect on the next request on every node: the key is looked up each time, or
 * comes from memory where every write passes through this process. Throws `unauthenticated` for a key that is unknown, revoked, expired or whose owner is no longer a member.
 */
export async function authenticateKey(
  context: IdentityContext,
  key: string,
  origin: RequestOrigin,
): Promise<Caller> {
  const keyHash = sha256(key);
  const found = isKey(key) ? await findKeyByHash(context.db, keyHash) : undefined;
  const now = context.clock.now();
  const isLive = found !== undefined && (found.expires_at === null || found.expires_at > now);
  if (!isLive || found.role === null || !isRole(found.role)) {
    forgetCaller(context.db, keyHash);
    throw new ServiceError("unauthenticated", "The API key is unknown, revoked or expired.");
  }
  context.lastUsed.note("api_keys", found.id, now);
  const allowed = scopesOfRole(found.role);
  const scopes = (found.scopes.split(" ") as Scope[]).filter((scope) => allowed.has(scope));
  const who = {
    userId: found.user_id,
    workspaceId: found.workspace_id,
    actor: { userId: found.user_id, apiKeyId: found.id },
  };
  if (context.db.dialect !== "sqlite") noteCaller(context.db, keyHash, who);
  return { ...who, role: found.role, scopes: new Set(scopes), via: "rest", ...origin };
}

/**
 * Authenticates a browser session in a workspace. Members of one workspace need not name it. Throws `unauthenticated`
 * without a live session, and `not_found` if the user is not a member of the workspace.
 */
export async function authenticateSession(
  context: IdentityContext,
  headers: Headers,
  workspaceId: string | undefined,
  origin: RequestOrigin,
): Promise<Caller> {
  const session = await findExpectedSession(context, headers);
  if (session === undefined) {
    throw new ServiceError("unauthenticated", "Sign in, or send an API key as a Bearer token.");
  }
  const memberships = await findMemberships(context.db, session.userId);
  if (workspaceId === undefined && memberships.length !== 1) {
    throw new ServiceError(
      "invalid_request",
      memberships.length === 0
        ? "You are not a member of any workspace. Create one, or accept an invitation."
        : "You are a member of several workspaces. Send the ID of one in the X-Workspace-Id header.",
    );
  }
  const membership =
    workspaceId === undefined
      ? memberships[0]
      : memberships.find((candidate) => candidate.workspace_id === workspaceId);
  if (membership === undefined || !isRole(membership.role)) {
    throw workspaceNotFound(workspaceId ?? "");
  }
  return {
    userId: session.userId,
    workspaceId: membership.workspace_id,
    role: membership.role,
    scopes: scopesOfRole(membership.role),
    actor: { userId: session.userId, sessionId: session.sessionId },
    via: "console",
    ...origin,
  };
}

/**
 * Authenticates a browser session outside of any workspace, for actions on the account and on workspaces themselves. Throws
 * `unauthenticated` without a live session.
 */
export async function authenticatePerson(
  context: IdentityContext,
  headers: Headers,
  origin: RequestOrigin,
): Promise<Caller> {
  const session = await findExpectedSession(context, headers);
  if (session === undefined) throw new ServiceError("unauthenticated", "Sign in to continue.");
  return {
    userId: session.userId,
    workspaceId: noWorkspace,
    role: "none",
    scopes: new Set(),
    actor: { userId: session.userId, sessionId: session.sessionId },
    via: "console",
    ...origin,
  };
}

/**
 * The session, unless it is of another user than the one that `X-User-Id` names. All tabs of a browser share the cookie, so a page that
 * one user opened would otherwise act as the user who signed in since.
 */
async function findExpectedSession({ people }: IdentityContext, headers: Headers) {
  const session = await people.findSession(headers);
  const expected = headers.get("x-user-id");
  return expected === null || expected === session?.userId ? session : undefined;
}
