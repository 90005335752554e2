import { setTimeout as sleep } from "node:timers/promises";
import type { AuditEventTable, CredentialTable, TransactionStep } from "#db";
import { explainOutage } from "#db";
import { auditEvent } from "#core/kernel";
import { ProviderError } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import { secretsOf, settingsOf } from "./connection.ts";
import type { Tokens } from "./connection.ts";
import { findConnection, releaseClaim, updateConnection } from "./connection-store.ts";
import { keepNothing, keepTokens } from "./keep-tokens.ts";
import { askForRenewal, askForToken } from "./provider.ts";
import type { Party } from "./provider.ts";
import { notNow } from "./refusals.ts";
import { revokeBeside } from "./revoke.ts";

/** What only a person can mend: asking again would be answered the same. */
const lastingCodes = {
  // Of a client that is refused the tokens are good still, so they are not given up.
  authorization_code: ["invalid_grant"],
  client_credentials: ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope"],
};
const maxPauseMs = 60_000;
const keepTries = 60;
const keepPauseMs = 500;

/**
 * Asks for new tokens and keeps them before anybody uses them: the provider may have ended the old ones. Throws
 * `unavailable` when it cannot be asked.
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
    const isLasting = lastingCodes[known.settings.grantType].includes(error.code ?? "");
    if (!isLasting) return putOff(context, row, claim, error);
    const problem = wasCutOff(row)
      ? "A renewal was cut off before its token was kept, and the provider takes the old one no more."
      : error.message;
    const state = { status: "needs_reconnect", problem } as const;
    const columns = keepNothing(context, row, known, state);
    const details = { name: row.name, reason: error.code ?? "refused" };
    return keep(context, row, columns, [insertEvent(context, failure(context, row, details))]);
  }
  const kept = await keep(context, row, keepTokens(context, row, known, tokens), []);
  if (kept === undefined) revokeBeside(context, withTokens(party, tokens));
  return kept;
}

/** What a credential was given that is deleted meanwhile, for it to be ended. */
function withTokens(party: Party, { accessToken, refreshToken }: Tokens): Party {
  return { ...party, secrets: { ...party.secrets, accessToken, refreshToken } };
}

function ask(context: VaultContext, party: Party): Promise<Tokens> {
  if (party.settings.grantType === "client_credentials") return askForToken(context, party);
  const { refreshToken } = party.secrets;
  if (refreshToken !== undefined) return askForRenewal(context, party, refreshToken);
  const message = "The token has ended, and the provider gave none to renew it with.";
  return Promise.reject(new ProviderError("refused", message, "invalid_grant"));
}

/** Whoever claimed it before never said how it ended. */
function wasCutOff({ refresh_claim: claim }: CredentialTable): boolean {
  return claim !== null;
}

/** Writes the outcome. While the database is away it tries on, as what was given is nowhere else. */
async function keep(
  context: VaultContext,
  row: CredentialTable,
  columns: Partial<CredentialTable>,
  also: readonly TransactionStep[],
): Promise<CredentialTable | undefined> {
  const query = updateConnection(context.db, row, columns);
  for (let attempt = 1; ; attempt++) {
    try {
      const isKept = await context.db.transact([{ query, mustChange: true }, ...also]);
      // Somebody connected it anew meanwhile, or it is gone.
      return isKept ? { ...row, ...columns } : await findConnection(context.db, row);
    } catch (error) {
      if (explainOutage(error) === undefined || attempt >= keepTries) throw error;
      await sleep(keepPauseMs);
    }
  }
}

/** Lets go for a while that grows with each failure. The first of a row is in the audit trail. */
async function putOff(
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
  context.log.warn({ credentialId: row.id, claim, failure: kind, message }, "no new token");
  const details = { name: row.name, reason: error.code ?? kind };
  const events = failures === 1 ? [insertEvent(context, failure(context, row, details))] : [];
  const query = releaseClaim(context.db, row, claim, change);
  await context.db.transact([{ query, mustChange: true }, ...events]);
  throw notNow(row.name, pauseMs, message);
}

function failure(
  context: VaultContext,
  row: CredentialTable,
  details: Readonly<Record<string, string>>,
): AuditEventTable {
  const who = { actor: { userId: null }, via: "system", requestId: null, ip: null } as const;
  return auditEvent(
    context.clock.now(),
    { ...who, workspaceId: row.workspace_id },
    { action: "credential.refresh_failed", target: row.id, outcome: "failure", details },
  );
}

function insertEvent({ db }: VaultContext, event: AuditEventTable) {
  return db.kysely.insertInto("audit_events").values(event).compile();
}
