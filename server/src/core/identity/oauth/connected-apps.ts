import type { ConnectedApp } from "@toolhost/contract";
import { auditEvent, auditInsert, commitWrite, mayDo, notFound, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { IdentityContext } from "../context.ts";
import type { OAuthGrantTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { isId } from "#lib/ids";
import { deleteGrant, findGrantById, listGrants, scopesAt } from "./grant-store.ts";
import { deleteRecordsOfGrants } from "./record-store.ts";
import { allClientScopes } from "./resources.ts";

/**
 * Connected apps, newest first: the caller's own in any of their workspaces, or those of all members of this one, with
 * the users they act for. Throws `forbidden` for all members' apps if the caller's role cannot manage them.
 */
export async function listConnectedApps(
  context: IdentityContext,
  caller: Caller,
  page: { limit: number; after: string | undefined; owner: "me" | "anyone" },
): Promise<ConnectedApp[]> {
  const { userId, workspaceId } = caller;
  if (page.owner === "me") return (await listGrants(context.db, { userId }, page)).map(present);
  if (!mayDo(caller.role, "apps:oversee")) {
    throw new ServiceError("forbidden", "Only admins can see other members' connected apps.");
  }
  const grants = await listGrants(context.db, { workspaceId }, page);
  return grants.map((grant) => ({
    ...present(grant),
    user: { id: grant.user_id, name: grant.user_name, email: grant.user_email },
  }));
}

/**
 * Ends an app's access immediately on every node, because the transaction deletes its tokens. The app must be one of
 * the caller's, or any of the workspace for roles that oversee apps. Throws `not_found`.
 */
export async function disconnectApp(
  context: IdentityContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const grant = isId(id) ? await findGrantById(context.db, id) : undefined;
  const isTheirs =
    grant !== undefined &&
    (grant.user_id === caller.userId ||
      (grant.workspace_id === caller.workspaceId && mayDo(caller.role, "apps:oversee")));
  const isEnded =
    isTheirs &&
    (await commitWrite(context, caller, undefined, [
      { query: deleteGrant(context.db, id), mustChange: true },
      deleteRecordsOfGrants(context.db, [id]),
      auditInsert(
        context,
        { ...caller, workspaceId: grant.workspace_id },
        {
          action: "connected_app.revoke",
          target: id,
          details: { client: grant.client_name, userId: grant.user_id },
        },
      ),
    ]));
  if (!isEnded) throw notFound("not_found", "connected app", { id });
}

/**
 * Ends a grant because its client revoked its own token, or because a token was used twice. Does nothing if the grant
 * has already ended.
 */
export async function endGrant(
  context: Pick<IdentityContext, "db" | "clock">,
  id: string,
  reason: string,
): Promise<void> {
  const grant = await findGrantById(context.db, id);
  if (grant === undefined) {
    await context.db.transact([deleteRecordsOfGrants(context.db, [id])]);
    return;
  }
  const event = auditEvent(
    context.clock.now(),
    {
      workspaceId: grant.workspace_id,
      actor: { userId: grant.user_id, grantId: id },
      via: "system",
      requestId: null,
      ip: null,
    },
    {
      action: "connected_app.revoke",
      target: id,
      details: { client: grant.client_name, reason },
    },
  );
  await context.db.transact([
    { query: deleteGrant(context.db, id), mustChange: true },
    deleteRecordsOfGrants(context.db, [id]),
    context.db.kysely.insertInto("audit_events").values(event).compile(),
  ]);
}

function present(grant: OAuthGrantTable): ConnectedApp {
  const given = new Set([...scopesAt(grant, "mcp"), ...scopesAt(grant, "rest")]);
  return {
    id: grant.id,
    clientName: grant.client_name,
    clientId: grant.client_id,
    clientUri: grant.client_uri,
    workspaceId: grant.workspace_id,
    scopes: allClientScopes.filter((scope) => given.has(scope)),
    createdAt: toTimestamp(grant.created_at),
    lastUsedAt: toTimestampOrNull(grant.last_used_at),
  };
}
