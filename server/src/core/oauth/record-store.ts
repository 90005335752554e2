import type { CompiledQuery } from "kysely";
import type { Database, OAuthRecordTable } from "#db";

/** Writes a record, or what changed of it: it stays with its grant and its use. */
export async function putRecord(db: Database, row: OAuthRecordTable): Promise<void> {
  await db.kysely
    .insertInto("oauth_records")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["model", "id"])
        .doUpdateSet({ payload: row.payload, expires_at: row.expires_at }),
    )
    .execute();
}

type Found = Pick<OAuthRecordTable, "payload" | "consumed_at" | "created_at">;

/** A record that has not expired. */
export async function findRecord(
  db: Database,
  key: { model: string; id: string; now: number },
): Promise<Found | undefined> {
  return db.kysely
    .selectFrom("oauth_records")
    .select(["payload", "consumed_at", "created_at"])
    .where("model", "=", key.model)
    .where("id", "=", key.id)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", key.now)]))
    .executeTakeFirst();
}

/** Marks a record as used, unless it is already: the first use is the one that counts. */
export async function consumeRecord(
  db: Database,
  key: { model: string; id: string; now: number },
): Promise<void> {
  await db.kysely
    .updateTable("oauth_records")
    .set({ consumed_at: key.now })
    .where("model", "=", key.model)
    .where("id", "=", key.id)
    .where("consumed_at", "is", null)
    .execute();
}

export async function deleteRecord(
  db: Database,
  key: { model: string; id: string },
): Promise<void> {
  await db.kysely
    .deleteFrom("oauth_records")
    .where("model", "=", key.model)
    .where("id", "=", key.id)
    .execute();
}

/** All that a grant gave: its codes, its tokens, and its own record. */
export function deleteRecordsOfGrants(db: Database, grantIds: readonly string[]): CompiledQuery {
  return db.kysely
    .deleteFrom("oauth_records")
    .where((row) =>
      row.or([
        row("grant_id", "in", grantIds),
        row.and([row("model", "=", "Grant"), row("id", "in", grantIds)]),
      ]),
    )
    .compile();
}

/** At most `limit` records that expired before a time. */
export async function deleteExpiredRecords(
  db: Database,
  before: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("oauth_records")
    .where((row) =>
      row(
        row.refTuple("model", "id"),
        "in",
        row
          .selectFrom("oauth_records as old")
          .select(["old.model", "old.id"])
          .where("old.expires_at", "<", before)
          .limit(limit)
          .$asTuple("model", "id"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
