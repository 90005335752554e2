import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * Which runs, files and events are one person's alone. What a private tool did while it was private stays its author's
 * when the tool is shared later, so it is a matter of each row and not of the tool.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("runs")
    .addColumn("is_private", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("files").addColumn("audience", "text").execute();
  await db.schema.alterTable("audit_events").addColumn("private_to", "text").execute();
  await db.schema
    .createIndex("tools_private")
    .on("tools")
    .columns(["workspace_id", "owner_user_id"])
    .where(sql.ref("visibility"), "=", sql.lit("private"))
    .execute();
  await markRuns(db);
  await markEvents(db);
}

/** Whether a tool was private when it ran is not on record, so of a tool that is private now all runs of its author count. */
async function markRuns(db: Kysely<unknown>): Promise<void> {
  await sql`update runs set is_private = 1 where draft_id is not null`.execute(db);
  await sql`
    update runs set is_private = 1 where is_private = 0 and exists (
      select 1 from tools where tools.id = runs.tool_id and tools.workspace_id = runs.workspace_id
        and tools.visibility = 'private' and tools.owner_user_id = runs.user_id)`.execute(db);
  for (;;) {
    const { numAffectedRows } = await sql`
      update runs set is_private = 1 where is_private = 0 and parent_run_id is not null and exists (
        select 1 from runs parent where parent.id = runs.parent_run_id and parent.is_private = 1)
    `.execute(db);
    if (numAffectedRows === undefined || numAffectedRows === 0n) return;
  }
}

async function markEvents(db: Kysely<unknown>): Promise<void> {
  // JSON escapes quotation marks, so no value can look like one of these fields.
  await sql`
    update audit_events set private_to = user_id
    where action like 'draft.%'
      or (action = 'run.create' and details like '%"draftId":%')
      or (action = 'tool.approve' and details like '%"draft":true%')`.execute(db);
  await sql`
    update audit_events
    set private_to = (select user_id from runs where runs.id = audit_events.target)
    where private_to is null and action in ('run.create', 'run.cancel')
      and target in (select id from runs where is_private = 1)`.execute(db);
  await sql`
    update audit_events
    set private_to = (select owner_user_id from tools where tools.name = audit_events.target)
    where private_to is null and action like 'tool.%' and exists (
      select 1 from tools where tools.name = audit_events.target
        and tools.workspace_id = audit_events.workspace_id and tools.visibility = 'private')`.execute(
    db,
  );
}
