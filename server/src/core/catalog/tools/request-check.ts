import { sql } from "kysely";
import type { Database } from "#db";

/** A check in progress ends within this time. If its node dies, another one checks the import after it. */
export const checkLeaseMs = 5 * 60_000;
const minPauseMs = 60_000;

/**
 * Brings the next check of the import that a tool came from forward, to a minute after the last successful one. Changes
 * nothing while checks fail, or if one is in progress or due soon. So MCP servers cause one check a minute at most.
 */
export async function requestCheck(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
  now: number,
): Promise<void> {
  const earliest = sql<number>`imports.checked_at + ${minPauseMs}`;
  await kysely
    .updateTable("imports")
    .set({ next_check_at: sql`case when ${earliest} > ${now} then ${earliest} else ${now} end` })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", (from) =>
      from.selectFrom("tool_imports").select("import_id").where("tool_id", "=", id),
    )
    .where("failures", "=", 0)
    .where("next_check_at", ">", now + checkLeaseMs)
    .execute();
}
