import type { Kysely } from "kysely";

/** The trace that a run belongs to, so that a node that takes it from the queue continues the trace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("runs").addColumn("trace_context", "text").execute();
}
