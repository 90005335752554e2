import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Dialect } from "../database.ts";

/** What makes a write happen once, runs that wait for a node, and counters that nodes share. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createIdempotencyRecords(db);
  await makeRunsAQueue(db);
  await createRateLimits(db, dialect);
}

async function createIdempotencyRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("idempotency_records")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("node_id", "text", (c) => c.notNull())
    .addColumn("claim", "text", (c) => c.notNull())
    .addColumn("run_id", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("status", "integer")
    .addColumn("headers", "text", (c) => c.notNull())
    .addColumn("body", "text")
    .addColumn("is_encrypted", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  // For the sweep, which takes the oldest first.
  await db.schema
    .createIndex("idempotency_records_age")
    .on("idempotency_records")
    .column("created_at")
    .execute();
}

async function makeRunsAQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("runs").addColumn("idempotency_id", "text").execute();
  await db.schema
    .alterTable("runs")
    .addColumn("attempt", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createIndex("runs_queue")
    .on("runs")
    .columns(["workspace_id", "id"])
    .where(sql.ref("status"), "=", sql.lit("running"))
    .where(sql.ref("queued"), "=", sql.lit(1))
    .execute();
  await db.schema
    .createIndex("runs_of_tool")
    .on("runs")
    .columns(["workspace_id", "tool_name", "id"])
    .execute();
  // Those that went wrong are looked for among very many that did not.
  await db.schema
    .createIndex("runs_gone_wrong")
    .on("runs")
    .columns(["workspace_id", "status", "id"])
    .where(sql.ref("status"), "in", sql`(${sql.lit("failed")}, ${sql.lit("cancelled")})`)
    .execute();
}

/** The table that the rate limiting library reads and writes. */
async function createRateLimits(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // Counters of a minute need not survive a crash of the database.
  const create = dialect === "postgres" ? sql`create unlogged table` : sql`create table`;
  await sql`${create} rate_limits (
    key varchar(255) primary key, points integer not null default 0, expire bigint
  )`.execute(db);
}
