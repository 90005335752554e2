import { setTimeout as sleep } from "node:timers/promises";
import type { VaultContext } from "../context.ts";
import { offlineAfterMs, ServiceError } from "#core/kernel";
import type { CredentialTable } from "#db";
import { newId } from "#lib/ids";
import { claimRenewal, findConnection, isNodeAlive } from "./connection-store.ts";
import { noValidToken } from "./no-valid-token.ts";
import { renewAsHolder } from "./renew.ts";

/** The lease of a renewal; a node that takes longer is considered stopped. */
const leaseMs = 30_000;
const maxWaitMs = 35_000;
const pollMs = 100;

/**
 * Returns the connection with a valid token. Shortly before expiry the token is renewed in the background; once it has
 * expired, the caller waits. Across all nodes, the provider is asked once. A row with `needs_reconnect` is returned
 * unchanged; undefined if the credential was deleted. Throws `unavailable` if the token has expired and the provider
 * cannot be reached.
 */
export async function freshen(
  context: VaultContext,
  row: CredentialTable,
): Promise<CredentialTable | undefined> {
  if (row.kind !== "oauth2" || row.status !== "ready") return row;
  const now = context.clock.now();
  if (row.refresh_at === null || row.expires_at === null || now < row.refresh_at) return row;
  if (now < comfortableUntil(row)) {
    if (!failedRecently(row, now)) renewInBackground(context, row);
    return row;
  }
  try {
    return await renewOnce(context, row);
  } catch (error) {
    if (context.clock.now() < row.expires_at) return row;
    throw error;
  }
}

/** Returns the current connection for a run in progress; undefined when it has no better token than the run. */
export async function freshenAgain(
  context: VaultContext,
  { id, workspace_id }: CredentialTable,
): Promise<CredentialTable | undefined> {
  try {
    const row = await findConnection(context.db, { id, workspace_id });
    const fresh = row && (await freshen(context, row));
    return fresh?.status === "ready" ? fresh : undefined;
  } catch (error) {
    context.log.debug({ err: error, credentialId: id }, "a run continues with its current token");
    return undefined;
  }
}

/** Renews a token that a server refused before it expired. Failures are logged where they occur. */
export async function renewRefused(context: VaultContext, row: CredentialTable): Promise<void> {
  await renewOnce(context, row).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
  });
}

/** Waits for pending requests to providers, because an issued token that is not stored is lost. */
export async function drainConnections(context: Pick<VaultContext, "vault">): Promise<void> {
  await Promise.allSettled([...context.vault.renewals.values(), ...context.vault.revocations]);
}

/** The latest time at which a run can start with the token: a tenth of the renewal window is left then. */
function comfortableUntil({ expires_at: end, refresh_at: from }: CredentialTable): number {
  if (end === null || from === null) return Infinity;
  return end - (end - from) / 10;
}

function failedRecently(row: CredentialTable, now: number): boolean {
  return row.refresh_claim === null && row.refresh_until !== null && now < row.refresh_until;
}

function renewInBackground(context: VaultContext, row: CredentialTable): void {
  renewOnce(context, row).catch((error: unknown) => {
    // Expected errors are logged where they occur.
    if (error instanceof ServiceError) return;
    context.log.error({ err: error, credentialId: row.id }, "a connection could not be renewed");
  });
}

/** One renewal per connection at a time in this process. */
function renewOnce(
  context: VaultContext,
  row: CredentialTable,
): Promise<CredentialTable | undefined> {
  const { renewals } = context.vault;
  const known = renewals.get(row.id);
  if (known !== undefined) return known;
  const renewal = renew(context, row).finally(() => renewals.delete(row.id));
  renewals.set(row.id, renewal);
  return renewal;
}

/** One renewal among all nodes: the node that gets the claim asks the provider, and the others poll for the new token. */
async function renew(
  context: VaultContext,
  seen: CredentialTable,
): Promise<CredentialTable | undefined> {
  const startedAt = context.clock.now();
  let row: CredentialTable | undefined = seen;
  for (;;) {
    if (row === undefined || row.status !== "ready" || row.revision !== seen.revision) return row;
    const now = context.clock.now();
    if (failedRecently(row, now)) throw noValidToken(row.name, (row.refresh_until ?? now) - now);
    const isHeld = row.refresh_until !== null && now < row.refresh_until;
    const lapsed = isHeld && (await isLapsed(context, row)) ? row.refresh_claim : null;
    if (!isHeld || lapsed !== null) {
      const claim = `${context.nodeId}/${newId()}`;
      const query = claimRenewal(context.db, row, { claim, now, until: now + leaseMs, lapsed });
      const isMine = await context.db.transact([{ query, mustChange: true }]);
      if (isMine) return renewAsHolder(context, row, claim);
    }
    if (now - startedAt > maxWaitMs) throw noValidToken(row.name, leaseMs);
    await sleep(isHeld ? pollMs : 0);
    row = await findConnection(context.db, row);
  }
}

/** Whether the node with the claim has stopped. On the embedded database there is no other node. */
async function isLapsed(
  { db, nodeId }: VaultContext,
  { refresh_claim: claim }: CredentialTable,
): Promise<boolean> {
  const [holder = ""] = claim?.split("/") ?? [];
  if (claim === null || holder === nodeId) return false;
  return db.dialect === "sqlite" || !(await isNodeAlive(db, holder, offlineAfterMs));
}
