import { sql } from "kysely";
import { capSteps } from "#core/limits";
import type { VaultContext } from "../context.ts";
import type { ConnectionAttemptTable, TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { deleteOldAttempts, insertAttempt } from "./connection-store.ts";

const attemptMs = 600_000;

/** The version of a tool that connecting approves as well. */
export type ApprovedVersion = { tool: string; version: number };

type Asked = {
  workspaceId: string;
  userId: string;
  credentialId: string;
  approve?: ApprovedVersion | undefined;
};

/** Where somebody begins the way to the provider, within ten minutes, and the steps that make it so. */
export function beginAttempt(
  { config, db, clock }: Pick<VaultContext, "config" | "db" | "clock">,
  { workspaceId, userId, credentialId, approve }: Asked,
): { connectUrl: string; steps: TransactionStep[] } {
  const ticket = randomToken();
  const now = clock.now();
  const row = {
    ticket_hash: sha256(ticket),
    workspace_id: workspaceId,
    credential_id: credentialId,
    user_id: userId,
    state_hash: null,
    browser_hash: null,
    expires_at: now + attemptMs,
    approves: approve === undefined ? null : JSON.stringify(approve),
  };
  return {
    connectUrl: `${config.baseUrl}/oauth2/connect/${ticket}`,
    steps: [
      ...capSteps({ config, db }, "connection-attempts", {
        subject: userId,
        existing: sql`select 1 from connection_attempts
          where user_id = ${userId} and expires_at > ${now}`,
      }),
      insertAttempt(db, row),
    ],
  };
}

/** What an attempt approves when it succeeds. */
export function approvedBy({
  approves,
}: Pick<ConnectionAttemptTable, "approves">): ApprovedVersion | undefined {
  return approves === null ? undefined : (JSON.parse(approves) as ApprovedVersion);
}

/** Forgets those that were begun and not ended in their time. */
export async function removeOldAttempts({ db, clock }: Pick<VaultContext, "db" | "clock">) {
  await db.transact([deleteOldAttempts(db, clock.now())]);
}
