import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * An installed tool stays on the version that was accepted: at first the version that is live now. Also the setting that
 * accepts harmless updates, and a counter by which search indexes notice a change of what is installed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await pinInstalls(db);
  await db.schema
    .alterTable("workspaces")
    .addColumn("auto_accept_updates", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("workspaces")
    .addColumn("installs_revision", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex("workspaces_auto_accept")
    .on("workspaces")
    .column("id")
    .where(sql.ref("auto_accept_updates"), "=", sql.lit(1))
    .execute();
}

/** The table is made again, because SQLite adds no column that must have a value to rows that have none. */
async function pinInstalls(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("tool_installs_tool").execute();
  await db.schema.alterTable("tool_installs").renameTo("unpinned_installs").execute();
  await db.schema
    .createTable("tool_installs")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("tool_id", "text", (c) => c.notNull().references("tools.id"))
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("installed_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("accepted_by", "text")
    .addColumn("accepted_at", "bigint", (c) => c.notNull())
    .addColumn("considered_version", "integer")
    .addPrimaryKeyConstraint("tool_installs_pinned_key", ["workspace_id", "tool_id"])
    .execute();
  await sql`
    insert into tool_installs
      (workspace_id, tool_id, version, installed_by, created_at, accepted_by, accepted_at)
    select i.workspace_id, i.tool_id, t.live_version, i.installed_by, i.created_at, i.installed_by, i.created_at
    from unpinned_installs i join tools t on t.id = i.tool_id`.execute(db);
  await db.schema.dropTable("unpinned_installs").execute();
  await db.schema
    .createIndex("tool_installs_tool")
    .on("tool_installs")
    .columns(["tool_id", "version"])
    .execute();
}
