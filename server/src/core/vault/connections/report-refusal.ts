import { auditEvent, byService } from "#core/kernel";
import type { CredentialTable } from "#db";
import type { VaultContext } from "../context.ts";
import { parseBearerChallenge, validScopes } from "./bearer-challenge.ts";
import { settingsOf } from "./connection.ts";
import type { ConnectionSettings } from "./connection.ts";
import { findConnection, updateConnection } from "./connection-store.ts";
import { renewRefused } from "./freshen.ts";
import { withoutClient } from "./lost-client.ts";

/** A connection whose token was sent. */
export type SentToken = {
  id: string;
  workspaceId: string;
  /** The connection's revision. A token that was renewed since is not renewed again. */
  revision: number;
};

/** The refusal of a server that received a token. */
export type Refusal = {
  url: string;
  status: number;
  /** The header `WWW-Authenticate` of the response. */
  challenge: string | undefined;
};

/** A server that refuses each token must not make us request a new one for each of its responses. */
const renewalPauseMs = 60_000;

/**
 * Reports that a server refused a token. After 401, a new token is requested; if the server asks for scopes that were
 * never requested, a person has to reconnect (`needs_reconnect`). Only the server for which the connection was made is
 * believed, at its own URL.
 */
export async function reportRefusal(
  context: VaultContext,
  { id, workspaceId, revision }: SentToken,
  refusal: Refusal,
): Promise<void> {
  const row = await findConnection(context.db, { id, workspace_id: workspaceId });
  if (row === undefined || row.status !== "ready" || row.revision !== revision) return;
  const settings = settingsOf(row);
  if (!isServer(settings, refusal.url)) return;
  const challenge = parseBearerChallenge(refusal.challenge);
  if (challenge?.error === "insufficient_scope") {
    await requestScopes(context, row, settings, challenge.scopes);
  } else if (refusal.status === 401 && mayRenew(context, id)) {
    await renewRefused(context, row);
  }
}

function isServer({ serverUrl }: ConnectionSettings, url: string): boolean {
  if (serverUrl === null) return false;
  const [server, asked] = [new URL(serverUrl), new URL(url)];
  return server.origin === asked.origin && server.pathname === asked.pathname;
}

function mayRenew({ vault: { refusals }, clock }: VaultContext, id: string): boolean {
  const now = clock.now();
  for (const [known, at] of refusals) {
    if (now - at >= renewalPauseMs) refusals.delete(known);
  }
  if (refusals.has(id)) return false;
  refusals.set(id, now);
  return true;
}

async function requestScopes(
  context: VaultContext,
  row: CredentialTable,
  settings: ConnectionSettings,
  asked: readonly string[],
): Promise<void> {
  // Consent to the same scopes again would change nothing.
  if (asked.every((scope) => settings.scopes.includes(scope))) return;
  const scopes = validScopes([...asked, ...settings.scopes]);
  // A client that was registered for the former scopes may not request others.
  const widened = withoutClient(context, { ...settings, scopes });
  const host = new URL(settings.serverUrl ?? settings.tokenUrl).host;
  const columns = {
    status: "needs_reconnect",
    problem: `${host} requires more permissions. Reconnect to grant them.`,
    connection: JSON.stringify(widened),
    revision: row.revision + 1,
    refresh_claim: null,
    refresh_until: null,
  } satisfies Partial<CredentialTable>;
  const query = updateConnection(context.db, row, columns);
  const event = auditEvent(
    context.clock.now(),
    { ...byService, workspaceId: row.workspace_id },
    {
      action: "credential.refresh_failed",
      target: row.id,
      outcome: "failure",
      details: { name: row.name, reason: "insufficient_scope" },
    },
  );
  await context.db.transact([
    { query, mustChange: true },
    context.db.kysely.insertInto("audit_events").values(event).compile(),
  ]);
}
