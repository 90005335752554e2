import type { Kysely } from "kysely";

/**
 * Consent to what tools get of credentials. Approvals that running a tool gave are withdrawn, as nobody looked at what
 * they approved; builds of drafts lose theirs for the same reason, and no credential may be exposed until its owner
 * allows it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const addFlag = (table: string, name: string) =>
    db.schema
      .alterTable(table)
      .addColumn(name, "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  const addText = (table: string, name: string) =>
    db.schema.alterTable(table).addColumn(name, "text").execute();
  await addFlag("credentials", "exposable");
  await addText("connection_attempts", "approves");
  await addFlag("tool_versions", "vouched");
  await addFlag("drafts", "saved_with_right");
  await addFlag("draft_versions", "saved_with_right");
  await addText("drafts", "approved_needs");
  await db.schema.alterTable("chat_questions").addColumn("look_at", "bigint").execute();
  await db.schema
    .createIndex("chat_questions_look_at")
    .on("chat_questions")
    .column("look_at")
    .execute();
  await withdrawApprovals(db);
}

/** The tables as they are at this step, as far as it writes them. */
type Tables = {
  tool_approvals: { needs: string; how: string };
  draft_versions: { own_approved: number; shared_approved: number };
};

async function withdrawApprovals(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable("tool_approvals")
    .set({ needs: JSON.stringify({ credentials: [], allowedHosts: [] }), how: "withdrawn" })
    .where("how", "=", "run")
    .execute();
  await db.updateTable("draft_versions").set({ own_approved: 0, shared_approved: 0 }).execute();
}
