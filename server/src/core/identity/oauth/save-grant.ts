import { sql } from "kysely";
import type { RequestOrigin } from "#core/kernel";
import { auditEvent, ServiceError } from "#core/kernel";
import { capSteps } from "#core/limits";
import type { IdentityContext } from "../context.ts";
import type { OAuthGrantTable, TransactionStep } from "#db";
import { newId } from "#lib/ids";
import { grantRecord } from "./grant-record.ts";
import { changeGrant, findGrantOf, insertGrant, scopesAt } from "./grant-store.ts";
import { deleteTokens, upsertRecord } from "./record-store.ts";
import type { ClientScope, ResourceName } from "./resources.ts";

/** What a user allowed a client at one resource, in one workspace. */
export type Consent = {
  session: { userId: string; sessionId: string };
  origin: RequestOrigin;
  workspaceId: string;
  client: { id: string; name: string; uri: string | undefined; redirectUri: string };
  resource: ResourceName;
  scopes: readonly ClientScope[];
};

const maxAttempts = 5;

/**
 * Stores what a user allowed a client, and returns the ID of the grant. There is one grant per user, client and
 * workspace, with the scopes of the newest consent for each resource. A consent that allows at least as much as before
 * keeps the client's other installations signed in. A narrower one ends its tokens for the same resource. Throws
 * `unavailable` if concurrent requests keep changing the grant.
 */
export async function saveGrant(context: IdentityContext, consent: Consent): Promise<string> {
  const { db } = context;
  const { session, workspaceId, client } = consent;
  const of = { userId: session.userId, workspaceId, clientId: client.id };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const current = await findGrantOf(db, of);
    const grant = withConsent(current ?? newGrant(context, consent), consent);
    const steps =
      current === undefined
        ? insertSteps(context, grant)
        : changeSteps(context, consent, { current, grant });
    const record = upsertRecord(db, grantRecord(context.config, grant, context.clock.now()));
    const isWritten = await db.transact([
      ...steps,
      record,
      connectEvent(context, consent, grant.id),
    ]);
    if (isWritten) return grant.id;
  }
  throw new ServiceError(
    "unavailable",
    "The connected app was modified by another request. Retry.",
    {
      retryAfterSeconds: 1,
    },
  );
}

function newGrant(
  { clock }: IdentityContext,
  { session, workspaceId, client }: Consent,
): OAuthGrantTable {
  return {
    id: newId(),
    user_id: session.userId,
    workspace_id: workspaceId,
    client_id: client.id,
    client_name: client.name,
    client_uri: client.uri ?? null,
    scopes: "",
    rest_scopes: null,
    created_at: clock.now(),
    last_used_at: null,
  };
}

function withConsent(
  grant: OAuthGrantTable,
  { client, resource, scopes }: Consent,
): OAuthGrantTable {
  return {
    ...grant,
    client_name: client.name,
    client_uri: client.uri ?? null,
    [resource === "mcp" ? "scopes" : "rest_scopes"]: scopes.join(" "),
  };
}

function insertSteps(context: IdentityContext, grant: OAuthGrantTable): TransactionStep[] {
  return [
    ...capSteps(context, "connected-apps", {
      subject: grant.user_id,
      existing: sql`select 1 from oauth_grants where user_id = ${grant.user_id}`,
    }),
    insertGrant(context.db, grant),
  ];
}

function changeSteps(
  context: IdentityContext,
  consent: Consent,
  { current, grant }: Record<"current" | "grant", OAuthGrantTable>,
): TransactionStep[] {
  const { db } = context;
  const { client_name, client_uri, scopes, rest_scopes } = grant;
  const change = changeGrant(db, current, { client_name, client_uri, scopes, rest_scopes });
  const isNarrower = scopesAt(current, consent.resource).some(
    (scope) => !consent.scopes.includes(scope),
  );
  if (!isNarrower) return [change];
  const tokens = deleteTokens(db, current.id, consent.resource);
  return [change, tokens, replaceEvent(context, consent, current)];
}

function connectEvent(context: IdentityContext, consent: Consent, target: string) {
  const { resource, scopes: given } = consent;
  const { name, id: clientId, redirectUri: redirect } = consent.client;
  const scopes = given.join(" ");
  return insertEvent(context, consent, {
    action: "connected_app.connect",
    target,
    details: { client: name, clientId, redirect, resource, scopes },
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
    details: { client: client_name, resource: consent.resource, reason: "replaced" },
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
