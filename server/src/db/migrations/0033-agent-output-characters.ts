import type { Kysely } from "kysely";

/** The length of outputs for agents that a workspace has set; null for the server's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("workspaces")
    .addColumn("agent_output_characters", "integer")
    .execute();
}
