import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Config } from "#config";
import { capSteps } from "#core/limits";
import type { Database, OAuthRecordTable } from "#db";
import type { ResourceName } from "./resources.ts";

/** Inserts or updates a record. Its grant and its use do not change. */
export async function putRecord(db: Database, row: OAuthRecordTable): Promise<void> {
  await db.transact([upsertRecord(db, row)]);
}

/** How long a new client is safe from eviction before a user has connected it. */
const clientGraceMs = 3_600_000;
const evictedAtOnce = 100;

/**
 * Writes a client that registered itself. Registration is open to anyone, so at the cap the oldest clients that no user
 * has connected within an hour are evicted. Throws `quota_exceeded` if no client can be evicted.
 */
export async function putClient(
  context: { config: Config; db: Database },
  row: OAuthRecordTable,
): Promise<void> {
  const { config, db } = context;
  const max = config.OAUTH_MAX_CLIENTS;
  const isUnused = sql`client.model = 'Client'
    and not exists (select 1 from oauth_grants where oauth_grants.client_id = client.id)`;
  const existing = sql`select 1 from oauth_records as client where ${isUnused}`;
  const evict = sql`delete from oauth_records where model = 'Client'
    and (select count(*) from (${existing} limit ${sql.lit(max)}) as counted) >= ${sql.lit(max)}
    and id in (select client.id from oauth_records as client
      where ${isUnused} and client.created_at < ${row.created_at - clientGraceMs}
      order by client.created_at limit ${sql.lit(evictedAtOnce)})`;
  await db.transact([
    ...(max === 0 ? [] : [evict.compile(db.kysely)]),
    ...capSteps(context, "oauth-clients", { subject: "", existing }),
    upsertRecord(db, row),
  ]);
}

/** Like `putRecord`, as a step of a transaction. */
export function upsertRecord(db: Database, row: OAuthRecordTable): CompiledQuery {
  return db.kysely
    .insertInto("oauth_records")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["model", "id"])
        .doUpdateSet({ payload: row.payload, expires_at: row.expires_at }),
    )
    .compile();
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

/** Marks a record as used, unless it is used already, so that only the first use counts. */
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

/** Deletes the records of grants: codes, tokens, and the grant's own record. */
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

/** Deletes the codes and tokens of a grant for one resource. */
export function deleteTokens(db: Database, grantId: string, resource: ResourceName): CompiledQuery {
  return db.kysely
    .deleteFrom("oauth_records")
    .where("grant_id", "=", grantId)
    .where((row) => row(row.fn.coalesce("resource", row.val("mcp")), "=", resource))
    .compile();
}

/** Deletes at most `limit` records that expired before a time. */
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
