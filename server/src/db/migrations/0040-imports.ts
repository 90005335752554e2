import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Dialect } from "../database.ts";

/** Imports, and the tools that came from them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable("imports")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("format", "text", (c) => c.notNull())
    .addColumn("url", "text")
    .addColumn("transport", "text")
    .addColumn("credential", "text")
    .addColumn("common", "text", (c) => c.notNull())
    .addColumn("items", "text", (c) => c.notNull())
    .addColumn("item_count", "integer", (c) => c.notNull())
    .addColumn("document", dialect === "postgres" ? "bytea" : "blob")
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("problem", "text")
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("checked_at", "bigint", (c) => c.notNull())
    .addColumn("next_check_at", "bigint")
    .addColumn("revision", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("imports_of_workspace")
    .on("imports")
    .columns(["workspace_id", "id"])
    .execute();
  await db.schema
    .createIndex("imports_due")
    .on("imports")
    .column("next_check_at")
    .where(sql.ref("next_check_at"), "is not", null)
    .execute();
  await createToolImports(db);
  // On the row that each run reads anyway.
  await db.schema.alterTable("tools").addColumn("pinned_hash", "text").execute();
  await db.schema.alterTable("tool_versions").addColumn("item_hash", "text").execute();
  await db.schema.alterTable("drafts").addColumn("import_link", "text").execute();
}

async function createToolImports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tool_imports")
    .addColumn("tool_id", "text", (c) => c.primaryKey().references("tools.id"))
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("import_id", "text", (c) => c.notNull())
    .addColumn("item_key", "text", (c) => c.notNull())
    .addColumn("latest_hash", "text", (c) => c.notNull())
    .addColumn("options", "text", (c) => c.notNull())
    .addColumn("definition_hash", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("tool_imports_item")
    .on("tool_imports")
    .columns(["import_id", "item_key"])
    .execute();
  await db.schema
    .createIndex("tool_imports_workspace")
    .on("tool_imports")
    .columns(["workspace_id", "tool_id"])
    .execute();
}
