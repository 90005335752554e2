import { setTimeout as sleep } from "node:timers/promises";
import type { AuditEventTable, CredentialTable, TransactionStep } from "#db";
import { explainOutage } from "#db";
import { auditEvent, byService } from "#core/kernel";
import { ProviderError } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import { secretsOf, settingsOf } from "./connection.ts";
import type { Tokens } from "./connection.ts";
import { findConnection, releaseClaim, updateConnection } from "./connection-store.ts";
import { isClientLost, withoutClient } from "./lost-client.ts";
import { withoutTokens, tokenColumns } from "./token-columns.ts";
import { refreshTokens, requestClientToken } from "./provider.ts";
import type { Party } from "./provider.ts";
import { noValidToken } from "./no-valid-token.ts";
import { revokeInBackground } from "./revoke.ts";

/** Errors that only a user can fix. */
const lastingCodes = {
  // The tokens of a refused client stay valid, so they are not discarded.
  authorization_code: ["invalid_grant"],
  client_credentials: ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope"],
};
const maxPauseMs = 60_000;
const maxStoreAttempts = 60;
const storeRetryMs = 500;

/**
 * Requests new tokens and stores them before they are used, because the provider may have ended the old ones. Throws
 * `unavailable` when the provider cannot be reached.
 */
export async function renewAsHolder(
  context: VaultContext,
  row: CredentialTable,
  claim: string,
): Promise<CredentialTable | undefined> {
  const known = { settings: settingsOf(row), secrets: secretsOf(context, row) };
  const party = { workspaceId: row.workspace_id, ...known };
  let tokens: Tokens;
  try {
    tokens = await ask(context, party);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isLost = isClientLost(known.settings, error);
    const isLasting = lastingCodes[known.settings.grantType].includes(error.code ?? "");
    if (!isLasting && !isLost) return backOff(context, row, claim, error);
    const problem = wasInterrupted(row)
      ? "A renewal was interrupted before its token was stored, and the provider no longer accepts the old one."
      : error.message;
    const state = { status: "needs_reconnect", problem } as const;
    const settings = isLost ? withoutClient(context, known.settings) : known.settings;
    const columns = withoutTokens(context, row, { ...known, settings }, state);
    const details = { name: row.name, reason: error.code ?? "refused" };
    return storeOutcome(context, row, columns, [
      insertEvent(context, failure(context, row, details)),
    ]);
  }
  const kept = await storeOutcome(context, row, tokenColumns(context, row, known, tokens), []);
  if (kept === undefined) revokeInBackground(context, withTokens(party, tokens));
  return kept;
}

/** The tokens of a credential that was deleted during the renewal, to be revoked. */
function withTokens(party: Party, { accessToken, refreshToken }: Tokens): Party {
  return { ...party, secrets: { ...party.secrets, accessToken, refreshToken } };
}

function ask(context: VaultContext, party: Party): Promise<Tokens> {
  if (party.settings.grantType === "client_credentials") return requestClientToken(context, party);
  const { refreshToken } = party.secrets;
  if (refreshToken !== undefined) return refreshTokens(context, party, refreshToken);
  const message = "The token has expired, and the provider issued no refresh token.";
  return Promise.reject(new ProviderError("refused", message, "invalid_grant"));
}

/** The holder of the previous claim never reported its outcome. */
function wasInterrupted({ refresh_claim: claim }: CredentialTable): boolean {
  return claim !== null;
}

/** Stores the outcome, and retries while the database is unavailable, because the tokens exist nowhere else. */
async function storeOutcome(
  context: VaultContext,
  row: CredentialTable,
  columns: Partial<CredentialTable>,
  also: readonly TransactionStep[],
): Promise<CredentialTable | undefined> {
  const query = updateConnection(context.db, row, columns);
  for (let attempt = 1; ; attempt++) {
    try {
      const isStored = await context.db.transact([{ query, mustChange: true }, ...also]);
      // It was reconnected or deleted during the renewal.
      return isStored ? { ...row, ...columns } : await findConnection(context.db, row);
    } catch (error) {
      if (explainOutage(error) === undefined || attempt >= maxStoreAttempts) throw error;
      await sleep(storeRetryMs);
    }
  }
}

/** Releases the claim with exponential backoff. Only the first failure of a series is audited. */
async function backOff(
  context: VaultContext,
  row: CredentialTable,
  claim: string,
  error: ProviderError,
): Promise<never> {
  const failures = row.refresh_failures + 1;
  const pauseMs = Math.min(maxPauseMs, 1_000 * 2 ** Math.min(failures - 1, 6));
  const change = {
    refresh_claim: null,
    refresh_until: context.clock.now() + pauseMs,
    refresh_failures: failures,
  };
  const { message, failure: kind } = error;
  context.log.warn({ credentialId: row.id, claim, failure: kind, message }, "token renewal failed");
  const details = { name: row.name, reason: error.code ?? kind };
  const events = failures === 1 ? [insertEvent(context, failure(context, row, details))] : [];
  const query = releaseClaim(context.db, row, claim, change);
  await context.db.transact([{ query, mustChange: true }, ...events]);
  throw noValidToken(row.name, pauseMs, message);
}

function failure(
  context: VaultContext,
  row: CredentialTable,
  details: Readonly<Record<string, string>>,
): AuditEventTable {
  return auditEvent(
    context.clock.now(),
    { ...byService, workspaceId: row.workspace_id },
    { action: "credential.refresh_failed", target: row.id, outcome: "failure", details },
  );
}

function insertEvent({ db }: VaultContext, event: AuditEventTable) {
  return db.kysely.insertInto("audit_events").values(event).compile();
}
