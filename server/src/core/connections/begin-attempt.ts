import { sql } from "kysely";
import { capSteps } from "#core/caps";
import type { Context } from "#core/context";
import type { TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { deleteOldAttempts, insertAttempt } from "./connection-store.ts";

const attemptMs = 600_000;

type Asked = { workspaceId: string; userId: string; credentialId: string };

/** Where somebody begins the way to the provider, within ten minutes, and the steps that make it so. */
export function beginAttempt(
  { config, db, clock }: Pick<Context, "config" | "db" | "clock">,
  { workspaceId, userId, credentialId }: Asked,
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

/** Forgets those that were begun and not ended in their time. */
export async function removeOldAttempts({ db, clock }: Pick<Context, "db" | "clock">) {
  await db.transact([deleteOldAttempts(db, clock.now())]);
}
