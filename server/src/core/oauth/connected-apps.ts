import type { ConnectedApp, Scope } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditEvent, auditInsert } from "#core/audit";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { commitWrite } from "#core/idempotency";
import type { OAuthGrantTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { isId } from "#lib/ids";
import { deleteGrant, findGrant, findGrantById, listGrants, setGrantUsed } from "./grant-store.ts";
import { deleteRecordsOfGrants } from "./record-store.ts";

/** The apps that act for the caller in any of their workspaces, newest first. */
export async function listConnectedApps(
  context: Context,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<ConnectedApp[]> {
  const grants = await listGrants(context.db, { userId: caller.userId }, page);
  return grants.map(present);
}

/**
 * Ends an app's access at once, on every node: its tokens are gone with the transaction. Throws
 * `not_found` for what is not the caller's.
 */
export async function disconnectApp(context: Context, caller: Caller, id: string): Promise<void> {
  const grant = isId(id) ? await findGrant(context.db, id, caller.userId) : undefined;
  const isEnded =
    grant !== undefined &&
    (await commitWrite(context, caller, undefined, [
      { query: deleteGrant(context.db, id), mustChange: true },
      deleteRecordsOfGrants(context.db, [id]),
      auditInsert(
        context,
        { ...caller, workspaceId: grant.workspace_id },
        { action: "connected_app.revoke", target: id, details: { client: grant.client_name } },
      ),
    ]));
  if (!isEnded) {
    throw new ServiceError("not_found", "You have no connected app of this id.");
  }
}

/**
 * Ends a grant for what its client did: it revoked its own token, or somebody used a token twice. Nothing
 * happens to one that has ended already.
 */
export async function endGrant(
  context: Pick<Context, "db" | "clock">,
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

/** Writes when each app was last used, many at once, so that no call waits for it. */
export async function flushGrantUse(context: Context): Promise<void> {
  const uses = [...context.grantUse];
  context.grantUse.clear();
  if (uses.length === 0) return;
  await context.db.transact(uses.map(([id, at]) => setGrantUsed(context.db, id, at)));
}

function present(grant: OAuthGrantTable): ConnectedApp {
  return {
    id: grant.id,
    clientName: grant.client_name,
    clientUri: grant.client_uri,
    workspaceId: grant.workspace_id,
    scopes: grant.scopes.split(" ") as Scope[],
    createdAt: toTimestamp(grant.created_at),
    lastUsedAt: toTimestampOrNull(grant.last_used_at),
  };
}
