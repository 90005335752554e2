import { sql } from "kysely";
import { authenticateSession } from "#core/identity";
import { ServiceError } from "#core/kernel";
import type { Caller, RequestOrigin } from "#core/kernel";
import { capSteps } from "#core/limits";
import type { TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { deleteExpired, findAttempt, insertAttempt } from "./attempt-store.ts";
import type { AttemptRow, AttemptTable, FlowColumns } from "./attempt-store.ts";
import type { OAuthClientContext } from "./context.ts";

const attemptMs = 600_000;

/** The parts of a browser's request that identify the person. */
export type Visit = { headers: Headers; origin: RequestOrigin };

/**
 * An attempt that its initiator can start within ten minutes with the ticket, and the steps that store it. The steps
 * throw `quota_exceeded` beyond the user's open attempts.
 */
export function createAttempt<T extends AttemptTable>(
  { config, db, clock }: Pick<OAuthClientContext, "config" | "db" | "clock">,
  table: T,
  columns: Omit<AttemptRow<T>, FlowColumns> & { user_id: string },
): { ticket: string; steps: TransactionStep[] } {
  const ticket = randomToken();
  const now = clock.now();
  const row = {
    ...columns,
    ticket_hash: sha256(ticket),
    state_hash: null,
    browser_hash: null,
    expires_at: now + attemptMs,
  };
  const cap = capSteps({ config, db }, "connection-attempts", {
    subject: columns.user_id,
    existing: sql`select 1 from ${sql.table(table)}
      where user_id = ${columns.user_id} and expires_at > ${now}`,
  });
  return { ticket, steps: [...cap, insertAttempt(db, table, row)] };
}

/** The attempt of a ticket, and its initiator. Throws `not_found`, `unauthenticated`, `forbidden`. */
export async function openAttempt<T extends AttemptTable>(
  context: OAuthClientContext,
  table: T,
  visit: Visit,
  ticket: string,
): Promise<{ attempt: AttemptRow<T>; caller: Caller }> {
  const attempt = await findAttempt(context.db, table, "ticket_hash", sha256(ticket));
  if (!isAttemptValid(context, attempt)) throw unknownAttempt();
  return { attempt, caller: await assertInitiator(context, visit, attempt) };
}

export function isAttemptValid<T extends AttemptRow>(
  { clock }: Pick<OAuthClientContext, "clock">,
  attempt: T | undefined,
): attempt is T {
  return attempt !== undefined && attempt.expires_at > clock.now();
}

/**
 * The member whose session the browser sends, who has to be the one who created the attempt. Throws `unauthenticated`,
 * `not_found` for a user who is no longer a member, and `forbidden` for anyone else.
 */
export async function assertInitiator(
  context: OAuthClientContext,
  { headers, origin }: Visit,
  attempt: Pick<AttemptRow, "workspace_id" | "user_id">,
): Promise<Caller> {
  const caller = await authenticateSession(context, headers, attempt.workspace_id, origin);
  if (caller.userId === attempt.user_id) return caller;
  throw new ServiceError(
    "forbidden",
    "This connection was started by someone else. Sign in as that user, or start over.",
  );
}

/** One error for an attempt that never existed, was used, was started again, or has expired. */
export function unknownAttempt(): ServiceError {
  return new ServiceError(
    "not_found",
    "This link is invalid, has expired or was used already. Start over to get a new one.",
  );
}

export async function deleteExpiredAttempts({
  db,
  clock,
}: Pick<OAuthClientContext, "db" | "clock">): Promise<void> {
  await db.transact(deleteExpired(db, clock.now()));
}
