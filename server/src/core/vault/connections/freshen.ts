import { setTimeout as sleep } from "node:timers/promises";
import type { VaultContext } from "../context.ts";
import { deadAfterMs, ServiceError } from "#core/kernel";
import type { CredentialTable } from "#db";
import { newId } from "#lib/ids";
import { claimRenewal, findConnection, isNodeAlive } from "./connection-store.ts";
import { notNow } from "./refusals.ts";
import { renewAsHolder } from "./renew.ts";

/** How long a node may take to ask for new tokens and keep them; then it counts as dead. */
const leaseMs = 30_000;
const patienceMs = 35_000;
const lookAgainMs = 100;

/**
 * The connection with a token that can be used. Near its end a new one is asked for: beside the caller while
 * the old one is good, else the caller waits. Whatever asks for it, on whatever node, the provider is asked
 * once. A row with `needs_reconnect` comes back as such; undefined when it was deleted. Throws `unavailable`
 * when the token has ended and the provider cannot be asked.
 */
export async function freshen(
  context: VaultContext,
  row: CredentialTable,
): Promise<CredentialTable | undefined> {
  if (row.kind !== "oauth2" || row.status !== "ready") return row;
  const now = context.clock.now();
  if (row.refresh_at === null || row.expires_at === null || now < row.refresh_at) return row;
  if (now < comfortableUntil(row)) {
    if (!failedLately(row, now)) renewBeside(context, row);
    return row;
  }
  try {
    return await renewOnce(context, row);
  } catch (error) {
    if (context.clock.now() < row.expires_at) return row;
    throw error;
  }
}

/**
 * The connection as it is now, with a token that can be used, for a run that goes on: undefined when there is none
 * that is better than what the run has.
 */
export async function freshenAgain(
  context: VaultContext,
  { id, workspace_id }: CredentialTable,
): Promise<CredentialTable | undefined> {
  try {
    const row = await findConnection(context.db, { id, workspace_id });
    const fresh = row && (await freshen(context, row));
    return fresh?.status === "ready" ? fresh : undefined;
  } catch (error) {
    context.log.debug({ err: error, credentialId: id }, "a run goes on with the token that it has");
    return undefined;
  }
}

/** Waits for what goes on at providers: a token that was given and not kept is lost. */
export async function drainConnections(context: Pick<VaultContext, "vault">): Promise<void> {
  await Promise.allSettled([...context.vault.renewals.values(), ...context.vault.revocations]);
}

/** Until when a run can well begin with the token: a tenth of the time in which it is renewed is left. */
function comfortableUntil({ expires_at: end, refresh_at: from }: CredentialTable): number {
  if (end === null || from === null) return Infinity;
  return end - (end - from) / 10;
}

function failedLately(row: CredentialTable, now: number): boolean {
  return row.refresh_claim === null && row.refresh_until !== null && now < row.refresh_until;
}

function renewBeside(context: VaultContext, row: CredentialTable): void {
  renewOnce(context, row).catch((error: unknown) => {
    // Refusals are logged where they happen.
    if (error instanceof ServiceError) return;
    context.log.error({ err: error, credentialId: row.id }, "a connection could not be renewed");
  });
}

/** One renewal of a connection at a time in this process. */
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

/** One among the nodes: whoever gets the claim asks, the others look until there is a new token. */
async function renew(
  context: VaultContext,
  seen: CredentialTable,
): Promise<CredentialTable | undefined> {
  const startedAt = context.clock.now();
  let row: CredentialTable | undefined = seen;
  for (;;) {
    if (row === undefined || row.status !== "ready" || row.revision !== seen.revision) return row;
    const now = context.clock.now();
    if (failedLately(row, now)) throw notNow(row.name, (row.refresh_until ?? now) - now);
    const isHeld = row.refresh_until !== null && now < row.refresh_until;
    const lapsed = isHeld && (await isLapsed(context, row)) ? row.refresh_claim : null;
    if (!isHeld || lapsed !== null) {
      const claim = `${context.nodeId}/${newId()}`;
      const query = claimRenewal(context.db, row, { claim, now, until: now + leaseMs, lapsed });
      const isMine = await context.db.transact([{ query, mustChange: true }]);
      if (isMine) return renewAsHolder(context, row, claim);
    }
    if (now - startedAt > patienceMs) throw notNow(row.name, leaseMs);
    await sleep(isHeld ? lookAgainMs : 0);
    row = await findConnection(context.db, row);
  }
}

/** Whether the node that has the claim is dead. On the embedded database there is none but this one. */
async function isLapsed(
  { db, nodeId }: VaultContext,
  { refresh_claim: claim }: CredentialTable,
): Promise<boolean> {
  const [holder = ""] = claim?.split("/") ?? [];
  if (claim === null || holder === nodeId) return false;
  return db.dialect === "sqlite" || !(await isNodeAlive(db, holder, deadAfterMs));
}
