import type { Kysely } from "kysely";

/** Results of running the examples of drafts, and of the versions that were published from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["drafts", "tool_versions"]) {
    await db.schema.alterTable(table).addColumn("example_results", "text").execute();
  }
}
