import type { CompiledQuery } from "kysely";
import { toAuthTimestamp } from "#core/identity";
import type { Database, SessionTable } from "#db";

export type SessionRow = Omit<SessionTable, "token">;

/** The live sessions of a user, newest first. */
export async function listSessionRows(
  db: Database,
  userId: string,
  page: { limit: number; after: string | undefined; now: number },
): Promise<SessionRow[]> {
  let query = db.kysely
    .selectFrom("sessions")
    .select(["id", "user_id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", toAuthTimestamp(db, page.now));
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

export function deleteSession(db: Database, userId: string, id: string): CompiledQuery {
  return db.kysely
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .compile();
}

/** Deletes sessions and email links that expired before a time. */
export async function deleteExpired(db: Database, before: number): Promise<number> {
  const time = toAuthTimestamp(db, before);
  const [sessions, verifications] = await Promise.all([
    db.kysely.deleteFrom("sessions").where("expires_at", "<", time).executeTakeFirst(),
    db.kysely.deleteFrom("verifications").where("expires_at", "<", time).executeTakeFirst(),
  ]);
  return Number(sessions.numDeletedRows) + Number(verifications.numDeletedRows);
}
