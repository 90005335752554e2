import type { Kysely } from "kysely";

/** Credentials that are tokens of an OAuth 2 connection, and the sign-ins at providers that go on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const add = (name: string, type: "text" | "bigint" | "integer") =>
    db.schema.alterTable("credentials").addColumn(name, type).execute();
  const addFilled = (name: string, type: "text" | "integer", value: string | number) =>
    db.schema
      .alterTable("credentials")
      .addColumn(name, type, (c) => c.notNull().defaultTo(value))
      .execute();
  await addFilled("kind", "text", "value");
  await addFilled("status", "text", "ready");
  await add("problem", "text");
  await add("connection", "text");
  await add("expires_at", "bigint");
  await add("refresh_at", "bigint");
  await addFilled("revision", "integer", 0);
  await add("refresh_claim", "text");
  await add("refresh_until", "bigint");
  await addFilled("refresh_failures", "integer", 0);
  await db.schema
    .createTable("connection_attempts")
    .addColumn("ticket_hash", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("credential_id", "text", (c) =>
      c.notNull().references("credentials.id").onDelete("cascade"),
    )
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("state_hash", "text", (c) => c.unique())
    .addColumn("browser_hash", "text")
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("connection_attempts_credential")
    .on("connection_attempts")
    .column("credential_id")
    .execute();
  await db.schema
    .createIndex("connection_attempts_expires_at")
    .on("connection_attempts")
    .column("expires_at")
    .execute();
}
