import { sql } from "kysely";
import type { Kysely } from "kysely";
import { sha256 } from "#lib/hash";
import type { Dialect } from "../database.ts";

/** Several people in a workspace, their invitations, installed tools, and what signs people in twice. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable("workspaces").addColumn("deleted_at", "bigint").execute();
  await db.schema
    .createIndex("members_workspace")
    .on("members")
    .columns(["workspace_id", "id"])
    .execute();
  await createInvitations(db);
  await createInstalls(db);
  await createTwoFactor(db, dialect);
  await hideSessionTokens(db);
  await db.schema
    .createIndex("verifications_identifier")
    .on("verifications")
    .column("identifier")
    .execute();
  await db.schema
    .createIndex("accounts_provider")
    .unique()
    .on("accounts")
    .columns(["provider_id", "account_id"])
    .execute();
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("invitations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("invited_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("invitations_email", ["workspace_id", "email"])
    .execute();
  await db.schema.createIndex("invitations_person").on("invitations").column("email").execute();
}

async function createInstalls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tool_installs")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("tool_id", "text", (c) => c.notNull().references("tools.id"))
    .addColumn("installed_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("tool_installs_key", ["workspace_id", "tool_id"])
    .execute();
  await db.schema.createIndex("tool_installs_tool").on("tool_installs").column("tool_id").execute();
  await db.schema
    .createIndex("tools_public")
    .on("tools")
    .column("id")
    .where(sql.ref("visibility"), "=", sql.lit("public"))
    .execute();
}

/** The sign-in library's: it reads and writes dates and truth values in the database's types. */
async function createTwoFactor(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const date = dialect === "postgres" ? "timestamptz" : "date";
  const truth = dialect === "postgres" ? "boolean" : "integer";
  await db.schema.alterTable("users").addColumn("two_factor_enabled", truth).execute();
  await db.schema
    .createTable("two_factors")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("backup_codes", "text", (c) => c.notNull())
    .addColumn("verified", truth)
    .addColumn("failed_verification_count", "integer")
    .addColumn("locked_until", date)
    .execute();
  await db.schema.createIndex("two_factors_user").on("two_factors").column("user_id").execute();
}

/** From now on a session's token is kept as a hash; whoever is signed in stays so. */
async function hideSessionTokens(
  db: Kysely<{ sessions: { id: string; token: string } }>,
): Promise<void> {
  for (const { id, token } of await db.selectFrom("sessions").select(["id", "token"]).execute()) {
    await db
      .updateTable("sessions")
      .set({ token: sha256(token) })
      .where("id", "=", id)
      .execute();
  }
}
