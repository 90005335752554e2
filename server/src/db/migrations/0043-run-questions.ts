import type { Kysely } from "kysely";

/** The question that a running tool asks its user, and the answer until it is delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("runs").addColumn("question", "text").execute();
  await db.schema.alterTable("runs").addColumn("sealed_answer", "text").execute();
}
