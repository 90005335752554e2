import { sql } from "kysely";
import type { RequestOrigin } from "#core/kernel";
import { auditEvent, ServiceError } from "#core/kernel";
import { capSteps } from "#core/limits";
import type { IdentityContext } from "../context.ts";
import type { OAuthGrantTable } from "#db";
import { newId } from "#lib/ids";
import { changeGrant, findGrantOf, insertGrant } from "./grant-store.ts";
import { deleteRecordsOfGrants } from "./record-store.ts";
import type { ClientScope } from "./resources.ts";

/** What a user allowed a client in one workspace. */
export type Consent = {
  session: { userId: string; sessionId: string };
  origin: RequestOrigin;
  workspaceId: string;
  client: { id: string; name: string; uri: string | undefined; redirectUri: string };
  resource: string;
  scopes: readonly ClientScope[];
};

const maxAttempts = 5;

/**
 * Stores what a user allowed a client, and returns the ID of the grant. There is one grant per user, client and
 * workspace, and the newest consent applies. A consent that allows at least as much as before extends the same grant,
 * so that the client's other installations stay signed in. A narrower one replaces the grant, and its tokens become
 * invalid. Throws `unavailable` if concurrent requests keep changing the grant.
 */
export async function saveGrant(context: IdentityContext, consent: Consent): Promise<string> {
  const { db } = context;
  const { session, workspaceId, client, scopes } = consent;
  const of = { userId: session.userId, workspaceId, clientId: client.id };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const current = await findGrantOf(db, of);
    const isKept = current !== undefined && includesAll(scopes, current.scopes);
    const id = isKept ? current.id : newId();
    // Until the row below has its ID, it allows nothing.
    await saveInLibrary(context, id, consent);
    let isWritten = false;
    try {
      isWritten = await writeGrant(context, consent, { id, current });
    } finally {
      if (!isWritten && !isKept) await db.transact([deleteRecordsOfGrants(db, [id])]);
    }
    if (isWritten) return id;
  }
  throw new ServiceError(
    "unavailable",
    "The connected app was modified by another request. Retry.",
    {
      retryAfterSeconds: 1,
    },
  );
}

function includesAll(scopes: readonly string[], earlier: string): boolean {
  return earlier.split(" ").every((scope) => scopes.includes(scope));
}

async function saveInLibrary(
  context: IdentityContext,
  id: string,
  { session, client, resource, scopes }: Consent,
): Promise<void> {
  const provider = await context.authorizationServer.provider();
  const grant = new provider.Grant({ accountId: session.userId, clientId: client.id });
  grant.jti = id;
  grant.addResourceScope(resource, scopes.join(" "));
  await grant.save();
}

/** False if the grant was changed since it was read. */
async function writeGrant(
  context: IdentityContext,
  consent: Consent,
  { id, current }: { id: string; current: OAuthGrantTable | undefined },
): Promise<boolean> {
  const { db } = context;
  const { session, workspaceId, client, scopes } = consent;
  const at = context.clock.now();
  const row = {
    id,
    client_name: client.name,
    client_uri: client.uri ?? null,
    scopes: scopes.join(" "),
  };
  if (current === undefined) {
    const whose = { user_id: session.userId, workspace_id: workspaceId, client_id: client.id };
    const times = { created_at: at, last_used_at: null };
    return db.transact([
      ...capSteps(context, "connected-apps", {
        subject: session.userId,
        existing: sql`select 1 from oauth_grants where user_id = ${session.userId}`,
      }),
      insertGrant(db, { ...row, ...whose, ...times }),
      connectEvent(context, consent, row),
    ]);
  }
  if (current.id === id) {
    return db.transact([changeGrant(db, current, row), connectEvent(context, consent, row)]);
  }
  const replaced = { ...row, created_at: at, last_used_at: null };
  return db.transact([
    changeGrant(db, current, replaced),
    deleteRecordsOfGrants(db, [current.id]),
    replaceEvent(context, consent, current),
    connectEvent(context, consent, row),
  ]);
}

function connectEvent(
  context: IdentityContext,
  consent: Consent,
  { id: target, scopes }: { id: string; scopes: string },
) {
  const { name, id: clientId, redirectUri: redirect } = consent.client;
  return insertEvent(context, consent, {
    action: "connected_app.connect",
    target,
    details: { client: name, clientId, redirect, scopes },
  });
}

function replaceEvent(
  context: IdentityContext,
  consent: Consent,
  { id, client_name }: OAuthGrantTable,
) {
  return insertEvent(context, consent, {
    action: "connected_app.revoke",
    target: id,
    details: { client: client_name, reason: "replaced" },
  });
}

function insertEvent(
  { db, clock }: IdentityContext,
  { session: { userId, sessionId }, workspaceId, origin }: Consent,
  about: Parameters<typeof auditEvent>[2],
) {
  const who = { workspaceId, actor: { userId, sessionId }, via: "console", ...origin } as const;
  return db.kysely
    .insertInto("audit_events")
    .values(auditEvent(clock.now(), who, about))
    .compile();
}
