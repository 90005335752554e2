import type { Kysely } from "kysely";

/** What a run asked of the network, by host; null when it asked for nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("runs").addColumn("egress", "text").execute();
}
