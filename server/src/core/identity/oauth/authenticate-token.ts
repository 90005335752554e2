import type { Scope } from "@toolhost/contract";
import { isRole, scopesOfRole, ServiceError } from "#core/kernel";
import type { Caller, RequestOrigin } from "#core/kernel";
import type { IdentityContext } from "../context.ts";
import { sha256 } from "#lib/hash";
import { findTokenByHash, scopesAt } from "./grant-store.ts";
import { resourcesOf } from "./resources.ts";
import type { ResourceName } from "./resources.ts";

type Payload = { aud?: unknown; scope?: unknown };

const maxTokenLength = 200;

/**
 * Authenticates an access token for one resource. The token is looked up each time, so that disconnecting an app takes
 * effect immediately on every node. Throws `unauthenticated`.
 */
export async function authenticateToken(
  context: IdentityContext,
  token: string,
  origin: RequestOrigin,
  resource: ResourceName,
): Promise<Caller> {
  const found =
    token.length <= maxTokenLength ? await findTokenByHash(context.db, sha256(token)) : undefined;
  const now = context.clock.now();
  if (found === undefined || found.expires_at <= now || !isRole(found.role)) {
    throw new ServiceError(
      "unauthenticated",
      "The API key or access token is unknown, revoked or expired.",
    );
  }
  const { aud, scope } = JSON.parse(found.payload) as Payload;
  if (aud !== resourcesOf(context.config)[resource].audience) {
    throw new ServiceError("unauthenticated", "The access token is for another service.");
  }
  context.lastUsed.note("oauth_grants", found.grant_id, now);
  const given = typeof scope === "string" ? (scope.split(" ") as Scope[]) : [];
  const granted = new Set<string>(scopesAt(found, resource));
  const allowed = scopesOfRole(found.role);
  return {
    userId: found.user_id,
    workspaceId: found.workspace_id,
    role: found.role,
    scopes: new Set(given.filter((name) => allowed.has(name) && granted.has(name))),
    actor: { userId: found.user_id, grantId: found.grant_id },
    via: resource,
    ...origin,
  };
}
