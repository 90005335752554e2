import type { Kysely } from "kysely";

/** Small segments of audit events are merged up to this position of their chain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("audit_heads")
    .addColumn("merged_sequence", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
}
