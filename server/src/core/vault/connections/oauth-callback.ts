import type { CredentialOwner } from "@toolhost/contract";
import { planApproval } from "#core/catalog";
import { auditInsert, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { consumeAttempt, openCallback, ProviderError, toServiceError } from "#core/oauth-client";
import type { Callback } from "#core/oauth-client";
import type { CredentialTable, TransactionStep } from "#db";
import type { VaultContext } from "../context.ts";
import { findAttemptedCredential } from "./assert-may-connect.ts";
import { approvedBy, callbackUrl } from "./connection-attempt.ts";
import type { ApprovedVersion } from "./connection-attempt.ts";
import { secretsOf, settingsOf } from "./connection.ts";
import type { ConnectionSettings, Tokens } from "./connection.ts";
import { findConnection, updateConnection } from "./connection-store.ts";
import { isClientLost, withoutClient } from "./lost-client.ts";
import { tokenColumns } from "./token-columns.ts";
import { redeemCode } from "./provider.ts";
import { revokeInBackground } from "./revoke.ts";

/**
 * Redeems the code of a provider's callback, and stores the tokens together with the approval that the attempt was
 * started for. Throws what `openCallback` throws, and for the provider's errors `connection_failed`, `unavailable`.
 */
export async function completeConnection(
  context: VaultContext,
  callback: Callback,
): Promise<Connected> {
  const opened = await openCallback(context, "connection_attempts", callback);
  const { attempt, caller, codeVerifier } = opened;
  const row = await findAttemptedCredential(context, attempt, caller);
  await consumeAttempt(context, "connection_attempts", attempt);
  const settings = settingsOf(row);
  // The former tokens may be of another account, so none of them is reused.
  const secrets = { clientSecret: secretsOf(context, row).clientSecret };
  const party = { workspaceId: row.workspace_id, settings, secrets };
  const redirectUri = callbackUrl(context);
  try {
    const { parameters } = callback;
    const tokens = await redeemCode(context, party, { parameters, codeVerifier, redirectUri });
    const approve = approvedBy(attempt);
    const isApproved = await storeTokens(context, caller, row, {
      settings,
      secrets,
      tokens,
      approve,
    });
    const approval = approve === undefined ? undefined : { ...approve, isApproved };
    return { name: row.name, owner: ownerOf(row), workspaceId: row.workspace_id, approval };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await record(context, caller, row, error);
    throw toServiceError(error);
  }
}

/** A connection with its tokens, and whether the approval that it was started for was given. */
type Connected = {
  name: string;
  owner: CredentialOwner;
  workspaceId: string;
  approval: (ApprovedVersion & { isApproved: boolean }) | undefined;
};

function ownerOf(row: CredentialTable): CredentialOwner {
  return row.owner_user_id === "" ? "workspace" : "user";
}

type Found = {
  settings: ConnectionSettings;
  secrets: { clientSecret: string | undefined };
  tokens: Tokens;
  approve: ApprovedVersion | undefined;
};

/** Stores the tokens, and returns whether the version was approved with them. */
async function storeTokens(
  context: VaultContext,
  caller: Caller,
  row: CredentialTable,
  { settings, secrets, tokens, approve }: Found,
): Promise<boolean> {
  // A renewal of the old tokens may have finished since the row was read; then it is read again.
  for (let current: CredentialTable | undefined = row; current !== undefined;) {
    const columns = tokenColumns(context, current, { settings, secrets }, tokens);
    const scopes = (tokens.scopes ?? settings.scopes).join(" ").slice(0, 1_000);
    const details = { name: row.name, scopes };
    const steps: readonly TransactionStep[] = [
      { query: updateConnection(context.db, current, columns), mustChange: true },
      auditInsert(context, caller, { action: "credential.connect", target: row.id, details }),
    ];
    const approval =
      approve && (await planApproval(context, caller, { ...approve, owner: ownerOf(row) }));
    if (approval !== undefined && (await context.db.transact([...steps, ...approval]))) return true;
    // Another version has become live since the user saw the page. The connection is stored without an approval.
    if (await context.db.transact(steps)) return false;
    current = await findConnection(context.db, row);
  }
  const { accessToken, refreshToken } = tokens;
  const party = { workspaceId: row.workspace_id, settings };
  revokeInBackground(context, { ...party, secrets: { ...secrets, accessToken, refreshToken } });
  throw new ServiceError("not_found", "The credential has been deleted, so nothing was connected.");
}

async function record(
  context: VaultContext,
  caller: Caller,
  row: CredentialTable,
  { failure, code }: ProviderError,
): Promise<void> {
  const details = { name: row.name, reason: code ?? failure };
  const what = { action: "credential.connect", target: row.id, outcome: "failure" } as const;
  await context.db.transact([auditInsert(context, caller, { ...what, details })]);
  const settings = settingsOf(row);
  if (!isClientLost(settings, { code })) return;
  const connection = JSON.stringify(withoutClient(context, settings));
  // Fails if the connection was changed concurrently, which then has another client.
  await context.db.transact([updateConnection(context.db, row, { connection })]);
}
