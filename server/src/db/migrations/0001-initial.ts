import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Dialect } from "../database.ts";

/** People, workspaces, keys, tools, runs and the audit trail. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createPeople(db, dialect);
  await createWorkspaces(db);
  await createTools(db);
  await createRuns(db, dialect);
  await createAudit(db);
}

/** The sign-in library's own tables: it reads and writes dates and truth values in the database's types. */
async function createPeople(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const date = dialect === "postgres" ? "timestamptz" : "date";
  const truth = dialect === "postgres" ? "boolean" : "integer";
  await db.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("email_verified", truth, (c) => c.notNull())
    .addColumn("image", "text")
    .addColumn("created_at", date, (c) => c.notNull())
    .addColumn("updated_at", date, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("token", "text", (c) => c.notNull().unique())
    .addColumn("expires_at", date, (c) => c.notNull())
    .addColumn("ip_address", "text")
    .addColumn("user_agent", "text")
    .addColumn("created_at", date, (c) => c.notNull())
    .addColumn("updated_at", date, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await db.schema
    .createTable("accounts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("account_id", "text", (c) => c.notNull())
    .addColumn("provider_id", "text", (c) => c.notNull())
    .addColumn("access_token", "text")
    .addColumn("refresh_token", "text")
    .addColumn("id_token", "text")
    .addColumn("access_token_expires_at", date)
    .addColumn("refresh_token_expires_at", date)
    .addColumn("scope", "text")
    .addColumn("password", "text")
    .addColumn("created_at", date, (c) => c.notNull())
    .addColumn("updated_at", date, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("accounts_user").on("accounts").column("user_id").execute();
  await db.schema
    .createTable("verifications")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("identifier", "text", (c) => c.notNull())
    .addColumn("value", "text", (c) => c.notNull())
    .addColumn("expires_at", date, (c) => c.notNull())
    .addColumn("created_at", date, (c) => c.notNull())
    .addColumn("updated_at", date, (c) => c.notNull())
    .execute();
}

async function createWorkspaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("settings")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("nodes")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("seen_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("workspaces")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("tools_revision", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("members")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("members_user_workspace", ["user_id", "workspace_id"])
    .execute();
  await db.schema
    .createTable("api_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("prefix", "text", (c) => c.notNull())
    .addColumn("key_hash", "text", (c) => c.notNull().unique())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema
    .createIndex("api_keys_workspace")
    .on("api_keys")
    .columns(["workspace_id", "user_id"])
    .execute();
}

async function createTools(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tools")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("owner_user_id", "text", (c) => c.notNull())
    // Archived tools keep their row, so a name is never used again.
    .addColumn("name", "text", (c) => c.notNull().unique())
    .addColumn("visibility", "text", (c) => c.notNull())
    .addColumn("live_version", "integer", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("archived_at", "bigint")
    .execute();
  await db.schema.createIndex("tools_list").on("tools").columns(["workspace_id", "id"]).execute();
  await db.schema
    .createIndex("tools_revision")
    .on("tools")
    .columns(["workspace_id", "revision"])
    .execute();
  await db.schema
    .createTable("tool_versions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("tool_id", "text", (c) => c.notNull().references("tools.id"))
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("definition", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("bundle", "text", (c) => c.notNull())
    .addColumn("bundle_hash", "text", (c) => c.notNull())
    .addColumn("source_map", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("restored_from", "integer")
    .addUniqueConstraint("tool_versions_number", ["tool_id", "version"])
    .execute();
}

async function createRuns(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable("runs")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("tool_name", "text", (c) => c.notNull())
    .addColumn("tool_version", "integer", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("queued", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("via", "text", (c) => c.notNull())
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("request_id", "text")
    .addColumn("ip", "text")
    .addColumn("input", "text", (c) => c.notNull())
    .addColumn("output", "text")
    .addColumn("error", "text")
    .addColumn("progress", "text")
    .addColumn("node_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("duration_ms", "double precision")
    .addColumn("cpu_ms", "double precision")
    .addColumn("logs_truncated", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("cancel_requested", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("runs_list").on("runs").columns(["workspace_id", "id"]).execute();
  // Few runs are under way at any time, so finding them must not cost what all runs cost.
  await db.schema
    .createIndex("runs_under_way")
    .on("runs")
    .column("node_id")
    .where(sql.ref("status"), "=", sql.lit("running"))
    .execute();
  await db.schema
    .createTable("run_logs")
    .addColumn("run_id", "text", (c) => c.notNull())
    .addColumn("chunk", "integer", (c) => c.notNull())
    .addColumn("line_count", "integer", (c) => c.notNull())
    .addColumn("body", dialect === "postgres" ? "bytea" : "blob", (c) => c.notNull())
    .addPrimaryKeyConstraint("run_logs_key", ["run_id", "chunk"])
    .execute();
}

async function createAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("audit_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("via", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("request_id", "text")
    .addColumn("ip", "text")
    .addColumn("details", "text", (c) => c.notNull())
    .addColumn("sequence", "bigint")
    .addColumn("hash", "text")
    .execute();
  await db.schema
    .createIndex("audit_events_list")
    .on("audit_events")
    .columns(["workspace_id", "id"])
    .execute();
  await db.schema
    .createIndex("audit_events_chain")
    .unique()
    .on("audit_events")
    .columns(["workspace_id", "sequence"])
    .execute();
  await db.schema
    .createIndex("audit_events_unsealed")
    .on("audit_events")
    .columns(["workspace_id", "id"])
    .where(sql.ref("sequence"), "is", null)
    .execute();
  await db.schema
    .createTable("audit_heads")
    .addColumn("workspace_id", "text", (c) => c.primaryKey())
    .addColumn("sequence", "bigint", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .execute();
}
