import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What people are writing, the builds of it that ran, and how long a workspace keeps its runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createDrafts(db);
  await createVersions(db);
  await db.schema.alterTable("runs").addColumn("draft_id", "text").execute();
  await db.schema
    .createIndex("runs_of_drafts")
    .on("runs")
    .columns(["workspace_id", "user_id", "id"])
    .where(sql.ref("draft_id"), "is not", sql.lit(null))
    .execute();
  await db.schema.alterTable("workspaces").addColumn("run_retention_days", "integer").execute();
  await db.schema.alterTable("workspaces").addColumn("log_retention_days", "integer").execute();
}

async function createDrafts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("drafts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.references("tools.id"))
    .addColumn("base_version", "integer")
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("definition", "text", (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("drafts_of_person")
    .on("drafts")
    .columns(["workspace_id", "user_id", "id"])
    .execute();
  await db.schema.createIndex("drafts_unused").on("drafts").column("used_at").execute();
}

async function createVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("draft_versions")
    .addColumn("draft_id", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("tool_id", "text")
    .addColumn("digest", "text", (c) => c.notNull())
    .addColumn("definition", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("bundle", "text", (c) => c.notNull())
    .addColumn("bundle_hash", "text", (c) => c.notNull())
    .addColumn("source_map", "text", (c) => c.notNull())
    .addColumn("own_approved", "integer", (c) => c.notNull())
    .addColumn("shared_approved", "integer", (c) => c.notNull())
    .addColumn("used_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("draft_versions_key", ["draft_id", "version"])
    .execute();
  await db.schema
    .createIndex("draft_versions_unused")
    .on("draft_versions")
    .column("used_at")
    .execute();
}
